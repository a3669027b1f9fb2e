"""Guard: something outside a function that was read while it was recorded.

A recording is right only as long as everything it was made of is the same. Guards are
looked at before every block.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from types import MappingProxyType
from typing import Any

import numpy as np

__all__ = ["MISSING", "ContentGuard", "Guard", "ItemsGuard", "items_of"]

MISSING = object()


class Guard:
    """A name, attribute or cell must still hold the same object, or an equal number or text."""

    __slots__ = ("_read", "_value")

    def __init__(self, read: Callable[[], Any], value: Any) -> None:
        self._read = read
        self._value = value

    def holds(self) -> bool:
        """Whether nothing has changed."""
        now, value = self._read(), self._value
        if now is value:
            return True
        if type(now) is not type(value) or type(value) not in _BY_VALUE:
            return False
        if isinstance(value, (float, complex)):
            return repr(now) == repr(value)  # 0.0 is not -0.0
        return bool(now == value)


_BY_VALUE = (bool, int, float, complex, str, bytes)


class ItemsGuard:
    """A list, dict or set must still hold the same objects."""

    __slots__ = ("_container", "_items")

    def __init__(self, container: Any) -> None:
        self._container = container
        self._items = items_of(container)

    def holds(self) -> bool:
        """Whether nothing was added, removed or replaced."""
        now = items_of(self._container)
        return len(now) == len(self._items) and all(map(is_, now, self._items))


def items_of(container: Any) -> list[Any]:
    """Return all that a list, dict or set holds."""
    if isinstance(container, (dict, MappingProxyType)):
        return [*container, *container.values()]
    return list(container)


class ContentGuard:
    """The numbers of an array must still be the same."""

    __slots__ = ("_array", "_numbers")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array = array
        self._numbers = array.tobytes()

    def holds(self) -> bool:
        """Whether nobody wrote into the array."""
        return self._array.tobytes() == self._numbers
