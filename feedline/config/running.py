"""running: whether functions run as they are written, and in which order elements come."""

from __future__ import annotations

from feedline.debug_mode import functions_run_plainly, set_functions_plain
from feedline.defaults import set_always_ordered

__all__ = ["enable_op_determinism", "functions_run_eagerly", "run_functions_eagerly"]


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Say whether functions run as the Python they are, every time, for a debugger.

    That goes for functions with ``@tf.function``, and for those that are given to datasets,
    which run as tf.data.experimental.enable_debug_mode() says. In TensorFlow they do not.

    Args:
        run_eagerly: False goes back to recording them.

    Example:
        >>> import feedline as tf
        >>> @tf.function
        ... def doubled(x):
        ...     print("called")
        ...     return x * 2
        >>> run_functions_eagerly(True)
        >>> [int(doubled(tf.constant(n))) for n in (1, 2)]
        called
        called
        [2, 4]
        >>> run_functions_eagerly(False)
    """
    set_functions_plain(bool(run_eagerly))


def functions_run_eagerly() -> bool:
    """Return what run_functions_eagerly() said last.

    Example:
        >>> functions_run_eagerly()
        False
    """
    return functions_run_plainly()


def enable_op_determinism() -> None:
    """Let elements come in order from now on, also where ``deterministic=False`` is asked for.

    Functions give the same in every run by themselves. Draws do so with tf.random.set_seed().

    Example:
        >>> import feedline as tf
        >>> enable_op_determinism()
        >>> ds = tf.data.Dataset.range(3).map(int, num_parallel_calls=2, deterministic=False)
        >>> [int(x) for x in ds]
        [0, 1, 2]
        >>> set_always_ordered(False)
    """
    set_always_ordered(True)
