"""elementwise: functions of each number by itself, or of two that meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from feedline.arrays.given import arrays_of_one_dtype, given, pair

__all__ = ["made_binary", "made_unary"]


def made_unary(name: str, function: Callable[[Any], Any], doc: str) -> Callable[..., Any]:
    """Return TensorFlow's face of a function of one array."""

    def call(x: Any, name: str | None = None) -> Any:
        return function(given(x))

    return _named(call, name, doc)


def made_binary(
    name: str, function: Callable[[Any, Any], Any], doc: str, *, of_arrays: bool = False
) -> Callable[..., Any]:
    """Return TensorFlow's face of a function of two arrays that broadcast.

    A Python number beside an array gives way to it, as NumPy's own functions let it; for a
    function ``of_arrays``, which would not, it becomes an array of the other's dtype.
    """
    operands = arrays_of_one_dtype if of_arrays else pair

    def call(x: Any, y: Any, name: str | None = None) -> Any:
        return function(*operands(x, y))

    return _named(call, name, doc)


def _named(call: Any, name: str, doc: str) -> Callable[..., Any]:
    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    result: Callable[..., Any] = call
    return result
