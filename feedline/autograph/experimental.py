"""feedline.autograph.experimental: what TensorFlow keeps there and input code uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from feedline.namespace import open_namespace

__all__ = ["do_not_convert"]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def do_not_convert(func: F) -> F: ...


@overload
def do_not_convert(func: None = None) -> Callable[[F], F]: ...


def do_not_convert(func: Any = None) -> Any:
    """Return the function as it is: none is ever rewritten here.

    Args:
        func: The function; left out where this is used as ``@do_not_convert()``.

    Example:
        >>> do_not_convert(abs) is abs
        True
    """
    return _same if func is None else func


def _same(func: F) -> F:
    return func


open_namespace(globals())
