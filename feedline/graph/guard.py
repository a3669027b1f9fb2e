"""Guard: something outside a function that was read while it was recorded.

A recording is right only as long as everything it was made of is the same. Guards are
looked at before every block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from operator import is_
from types import MappingProxyType
from typing import Any

import numpy as np

__all__ = ["MISSING", "ContentGuard", "Guard", "ItemsGuard", "items_of", "joined_guards"]

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
    """A list, dict or set, or each of several, must still hold the same objects.

    Attributes:
        views: Iterating over these shows what the containers hold at that moment.
        lengths: How much each of them showed at first.
        items: What all of them showed, one after the other.
    """

    __slots__ = ("items", "lengths", "views")

    def __init__(self, *containers: Any) -> None:
        self.views = [view for container in containers for view in _views_of(container)]
        self.lengths = list(map(len, self.views))
        self.items = list(chain.from_iterable(self.views))

    def add(self, other: ItemsGuard) -> None:
        """Look at what another guard looks at as well: that takes less time than two guards."""
        self.views += other.views
        self.lengths += other.lengths
        self.items += other.items

    def holds(self) -> bool:
        """Whether nothing was added, removed or replaced."""
        views = self.views
        return list(map(len, views)) == self.lengths and all(
            map(is_, chain.from_iterable(views), self.items)
        )


def _views_of(container: Any) -> list[Any]:
    if isinstance(container, (dict, MappingProxyType)):
        return [container, container.values()]
    return [container]


def items_of(container: Any) -> list[Any]:
    """Return all that a list, dict or set holds."""
    if isinstance(container, (dict, MappingProxyType)):
        return [*container, *container.values()]
    return list(container)


class ContentGuard:
    """The numbers of an array must still be the same."""

    __slots__ = ("_numbers", "_pieces")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._pieces = _pieces_of(array)
        self._numbers = [piece.tobytes() for piece in self._pieces]

    def holds(self) -> bool:
        """Whether nobody wrote into the array."""
        for piece, numbers in zip(self._pieces, self._numbers, strict=True):
            if piece.tobytes() != numbers:
                return False
        return True


_PIECE = 1 << 20


def _pieces_of(array: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Return an array in pieces along its first axis: comparing takes a copy of each."""
    if array.nbytes <= _PIECE:
        return [array]
    step = max(1, _PIECE * len(array) // array.nbytes)
    return [array[start : start + step] for start in range(0, len(array), step)]


def joined_guards(
    guards: Sequence[Guard | ItemsGuard | ContentGuard],
) -> tuple[Guard | ItemsGuard | ContentGuard, ...]:
    """Return guards that hold when all of these do, and take less time to look at."""
    items = ItemsGuard()
    others: list[Guard | ContentGuard] = []
    for guard in guards:
        if isinstance(guard, ItemsGuard):
            items.add(guard)
        else:
            others.append(guard)
    return (*others, items) if items.views else tuple(others)
