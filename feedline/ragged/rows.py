"""rows: how one axis of a ragged value is cut into rows, and rows picked out of it.

A ragged value is a list of Rows, outermost first, above an array of flat values: the rows of
one axis are runs of the items of the next one. Without Rows it is an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import InvalidArgumentError

__all__ = ["Parts", "Rows", "coordinates", "cut", "length_of", "runs", "taken", "with_axis"]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Row ``i`` is made of the items from ``splits[i]`` to ``splits[i + 1]``.

    ``uniform`` is the length of all rows where it is known to be the same.
    """

    splits: NDArray[Any]
    uniform: int | None = None

    @staticmethod
    def of_lengths(lengths: Any, dtype: Any = np.int64, uniform: int | None = None) -> Rows:
        """Return rows of some lengths, one after the other."""
        splits = np.zeros(len(lengths) + 1, dtype)
        np.cumsum(lengths, out=splits[1:])
        return Rows(splits, uniform)

    @staticmethod
    def of_one_length(length: int, count: int, dtype: Any = np.int64) -> Rows:
        """Return ``count`` rows that are equally long."""
        return Rows(np.arange(count + 1, dtype=dtype) * np.dtype(dtype).type(length), length)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.splits) - 1

    @property
    def starts(self) -> NDArray[Any]:
        """Where the rows begin."""
        return self.splits[:-1]

    @property
    def lengths(self) -> NDArray[Any]:
        """How long the rows are."""
        lengths: NDArray[Any] = self.splits[1:] - self.splits[:-1]
        return lengths

    @property
    def longest(self) -> int:
        """The length of the longest row."""
        return int(self.lengths.max(initial=0))

    @property
    def ids(self) -> NDArray[Any]:
        """The row that each item is in."""
        ids: NDArray[Any] = np.arange(self.count, dtype=self.splits.dtype)
        repeated: NDArray[Any] = ids.repeat(self.lengths)
        return repeated

    @property
    def places(self) -> NDArray[Any]:
        """The place that each item has in its row."""
        return runs(np.zeros_like(self.starts), self.lengths)

    def checked(self, call: str, length: int) -> Rows:
        """Return these rows if they divide ``length`` items."""
        splits = self.splits
        if splits.ndim != 1 or not len(splits) or splits[0] != 0 or splits[-1] != length:
            raise InvalidArgumentError(
                f"{call}: row_splits must begin with 0 and end with len(values) = {length}, "
                f"got {splits.tolist()}."
            )
        if (self.lengths < 0).any():
            raise InvalidArgumentError(f"{call}: row_splits must not fall, got {splits.tolist()}.")
        return self


Parts = tuple[Sequence[Rows], NDArray[Any]]


def length_of(parts: Parts) -> int:
    """Return the length of the first axis."""
    rows, flat = parts
    return rows[0].count if rows else len(flat)


def runs(starts: NDArray[Any], lengths: NDArray[Any], step: int = 1) -> NDArray[Any]:
    """Return numbers from each start on, as many as its length, one run after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    within = np.arange(total, dtype=starts.dtype) - np.repeat(ends - lengths, lengths)
    found: NDArray[Any] = np.repeat(starts, lengths) + within * starts.dtype.type(step)
    return found


def cut(parts: Parts, start: int, stop: int) -> Parts:
    """Return items of the first axis that lie side by side, without a copy of their values."""
    rows, flat = parts
    if not rows:
        return rows, flat[start:stop]
    head = rows[0]
    splits = head.splits[start : stop + 1]
    first = splits[0]
    inner, values = cut((rows[1:], flat), int(first), int(splits[-1]))
    return [Rows(splits - first, head.uniform), *inner], values


def taken(parts: Parts, index: NDArray[Any]) -> Parts:
    """Return items of the first axis in any order."""
    rows, flat = parts
    if not rows:
        return rows, flat[index]
    head = rows[0]
    lengths = head.lengths[index]
    inner, values = taken((rows[1:], flat), runs(head.starts[index], lengths))
    return [Rows.of_lengths(lengths, head.splits.dtype, head.uniform), *inner], values


def coordinates(rows: Sequence[Rows]) -> list[NDArray[Any]]:
    """Return the place of every flat value along each axis: the first one, and those of rows."""
    found: list[NDArray[Any]] = [np.arange(rows[0].count)]
    for head in rows:
        ids = head.ids
        found = [*(axis[ids] for axis in found), head.places]
    return found


def with_axis(parts: Parts, axis: int) -> Parts:
    """Return a value with an axis of length 1 before one of its axes."""
    rows, flat = parts
    if axis >= len(rows) + bool(rows):
        return rows, np.expand_dims(flat, axis - len(rows))
    dtype = rows[0].splits.dtype
    if axis == 0:
        return [Rows.of_one_length(rows[0].count, 1, dtype), *rows], flat
    head = Rows.of_one_length(1, rows[axis - 1].count, dtype)
    return [*rows[: axis - 1], head, *rows[axis - 1 :]], flat
