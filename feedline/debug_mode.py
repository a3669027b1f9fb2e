"""debug_mode: running everything plainly, so that breakpoints and prints work in functions.

One element at a time, in the thread that iterates, every function called as it is written.
"""

from __future__ import annotations

from dataclasses import replace

from feedline.options import Options

__all__ = [
    "enable_debug_mode",
    "functions_run_plainly",
    "plain",
    "set_debug_mode",
    "set_functions_plain",
    "with_debug_mode",
]


class _Mode:
    is_on = False
    functions_plain = False


def enable_debug_mode() -> None:
    """Run every pipeline that is iterated from now on plainly, element by element.

    Functions are called once for every element, in order, in the thread that iterates, and
    nothing is computed ahead: a breakpoint inside a map() stops where it should. Results
    stay the same.

    Example:
        >>> import feedline as tf
        >>> tf.data.experimental.enable_debug_mode()
        >>> [int(x) for x in tf.data.Dataset.range(3).map(lambda x: x + 1)]
        [1, 2, 3]
        >>> set_debug_mode(False)
    """
    set_debug_mode(True)


def set_debug_mode(is_on: bool) -> None:
    """Turn it on or off."""
    _Mode.is_on = is_on


def set_functions_plain(is_on: bool) -> None:
    """Turn it on or off, for pipelines and for every ``@function``."""
    _Mode.functions_plain = is_on


def functions_run_plainly() -> bool:
    """Whether no ``@function`` is recorded."""
    return _Mode.functions_plain


def with_debug_mode(options: Options) -> Options:
    """Return the settings that a pipeline runs with."""
    return plain(options) if _Mode.is_on or _Mode.functions_plain else options


def plain(options: Options) -> Options:
    """Return settings with which everything runs as it is written, here and now."""
    return replace(options, block_size=1, vectorize=False, executor="inline")
