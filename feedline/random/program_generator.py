"""program_generator: the one Generator of the whole program."""

from __future__ import annotations

from feedline.errors import BuildTypeError
from feedline.random.generator import Generator

__all__ = ["get_global_generator", "set_global_generator"]

_GENERATORS: list[Generator] = []


def get_global_generator() -> Generator:
    """Return the generator of the program: one from the operating system if none was set.

    As in TensorFlow, ``set_seed`` has nothing to do with it.

    Example:
        >>> import feedline as tf
        >>> tf.random.set_global_generator(tf.random.Generator.from_seed(1234))
        >>> tf.random.get_global_generator().uniform((2,))
        array([0.3581475 , 0.11322761], dtype=float32)
    """
    if not _GENERATORS:
        _GENERATORS.append(Generator.from_non_deterministic_state())
    return _GENERATORS[0]


def set_global_generator(generator: Generator) -> None:
    """Let get_global_generator() return another generator from now on.

    Args:
        generator: Of which the state is shared, not copied.

    Example:
        >>> import feedline as tf
        >>> tf.random.set_global_generator(tf.random.Generator.from_seed(1))
        >>> tf.random.get_global_generator().state
        array([1, 0, 0])
    """
    if not isinstance(generator, Generator):
        raise BuildTypeError(
            "random.set_global_generator(): generator must be a Generator, got "
            f"{type(generator).__name__}. For example tf.random.Generator.from_seed(1)."
        )
    _GENERATORS[:] = [generator]
