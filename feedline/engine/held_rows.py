"""HeldRows: byte strings, or arrays of different lengths, in numbered places.

They lie one after the other in one piece of memory, in the order in which they came, without
an object for each. What was replaced is left where it is until the memory is full: then what
is still in a place moves together, to the beginning. If that leaves too little room, all goes
to new memory, half as large again as it needs, so that on average every value moves about
twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.buffers import Buffers, pages
from feedline.column import Bytes, Column, Dense, Ragged
from feedline.kernels.ragged_take import ragged_take

__all__ = ["HeldRows"]

# Values and numbers to have room for at first.
_LEAST = 1 << 10
# How many values move at once.
_PIECE = 1 << 10


class HeldRows:
    """The values of one column; ``column`` says of which kind."""

    __slots__ = ("_buffers", "_count", "_is_bytes", "_numbers", "_splits", "_values")

    def __init__(self, column: Bytes | Ragged) -> None:
        self._is_bytes = isinstance(column, Bytes)
        values, _ = _parts(column)
        # All values that came; number 0 is an empty one, for places nothing was put in.
        self._values = np.empty((_LEAST, *values.shape[1:]), values.dtype)
        self._splits = np.zeros(_LEAST, np.int64)
        self._count = 1
        self._buffers = Buffers()
        # Which of them is in a place.
        self._numbers = np.zeros(0, np.int64)

    @staticmethod
    def can_hold(column: Column) -> bool:
        """Whether a column is of a kind that can be held so."""
        return isinstance(column, Bytes) or (
            isinstance(column, Ragged) and not column.values.dtype.hasobject
        )

    def fits(self, column: Column) -> bool:
        """Whether the values of a column can be put beside those that are here."""
        if isinstance(column, Bytes) or self._is_bytes:
            return isinstance(column, Bytes) and self._is_bytes
        if isinstance(column, Ragged):
            dtype, inner = column.values.dtype, column.values.shape[1:]
        elif isinstance(column, Dense) and column.array.ndim > 1:
            dtype, inner = column.array.dtype, column.array.shape[2:]
        else:
            return False
        return bool(dtype == self._values.dtype and inner == self._values.shape[1:])

    def grow(self, capacity: int) -> None:
        """Have as many places."""
        grown = np.zeros(capacity, np.int64)
        grown[: len(self._numbers)] = self._numbers
        self._numbers = grown

    def put(self, places: NDArray[np.int64], column: Column) -> None:
        """Put the values of a column that fits at ``places``."""
        values, splits = _parts(column)
        first, last = int(splits[0]), int(splits[-1])
        # Before room is made: what is replaced need not move.
        self._numbers[places] = 0
        self._make_room(last - first, len(places))
        end, count = int(self._splits[self._count]), self._count
        self._values[end : end + last - first] = values[first:last]
        np.add(splits[1:], end - first, out=self._splits[count + 1 : count + 1 + len(places)])
        self._numbers[places] = np.arange(count, count + len(places))
        self._count += len(places)

    def take(self, places: NDArray[np.int64]) -> Bytes | Ragged:
        """Return the values at ``places``; they stay there until others are put there."""
        values, splits = self._gathered(self._numbers[places])
        return Bytes(values, splits) if self._is_bytes else Ragged(values, splits)

    def rows(self) -> list[Any]:
        """Return what is in each place."""
        return self.take(np.arange(len(self._numbers))).rows()

    def _gathered(self, numbers: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        splits = self._splits[: self._count + 1]
        return ragged_take(self._values, splits, numbers, self._buffers.empty)

    def _make_room(self, size: int, count: int) -> None:
        end = int(self._splits[self._count])
        if end + size <= len(self._values) and self._count + count < len(self._splits):
            return
        self._move_together()
        held, needed = int(self._splits[self._count]), self._count + count
        # A fifth of it is to be free: nothing moves again before as much has come.
        if 5 * (held + size) > 4 * len(self._values):
            shape = (max(3 * (held + size) // 2, _LEAST), *self._values.shape[1:])
            values = pages(shape, self._values.dtype)
            values[:held] = self._values[:held]
            self._values = values
        if 3 * needed > 2 * len(self._splits):
            splits = np.zeros(max(2 * needed + 2, _LEAST), np.int64)
            splits[: self._count + 1] = self._splits[: self._count + 1]
            self._splits = splits

    def _move_together(self) -> None:
        """Have what is in places at the beginning of the memory, in the order in which it came."""
        places = np.flatnonzero(self._numbers)
        places = places[np.argsort(self._numbers[places])]
        numbers = self._numbers[places]
        ends = np.cumsum(self._splits[numbers + 1] - self._splits[numbers])
        start = 0
        # Piece by piece: nothing moves up, so what is still to move has not been written to.
        for first in range(0, len(numbers), _PIECE):
            values, _ = self._gathered(numbers[first : first + _PIECE])
            self._values[start : start + len(values)] = values
            start += len(values)
        self._splits[1] = 0
        self._splits[2 : len(places) + 2] = ends
        self._numbers[places] = np.arange(1, len(places) + 1)
        self._count = len(places) + 1


def _parts(column: Column) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return values and splits of a column."""
    if isinstance(column, Bytes):
        return column.data, column.offsets
    if isinstance(column, Ragged):
        return column.values, column.splits
    assert isinstance(column, Dense)
    count, length, *inner = column.array.shape
    values = column.array.reshape(count * length, *inner)
    return values, np.arange(count + 1, dtype=np.int64) * length
