"""sparse_rows: a column of SparseTensors of one axis, each filled from its beginning.

That is what features of varying length are. Batches of them are made without making one
object for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Objects, Ragged, concat_columns
from feedline.sparse import SparseTensor

__all__ = ["SparseRows", "sparse_batch_of"]


@dataclass(slots=True)
class SparseRows(Column):
    """The values of the tensors one after the other, and where they are split."""

    inner: Ragged

    def __len__(self) -> int:
        return len(self.inner)

    @property
    def nbytes(self) -> int:
        """The bytes of the values."""
        return self.inner.nbytes

    def slice(self, start: int, stop: int) -> SparseRows:
        """Return a view."""
        return SparseRows(self.inner.slice(start, stop))

    def take(self, index: NDArray[Any]) -> SparseRows:
        """Return a gathered copy."""
        return SparseRows(self.inner.take(index))

    def rows(self) -> list[Any]:
        """Return SparseTensors."""
        places = np.arange(self.inner.lengths.max(initial=0))[:, None]
        return [
            SparseTensor(places[: len(row)].copy(), row, [len(row)]) for row in self.inner.rows()
        ]

    def read_only(self) -> SparseRows:
        """Return a view that refuses changes."""
        return SparseRows(self.inner.read_only())

    def joined(self, columns: Sequence[Column]) -> Column | None:
        """Join the values."""
        if not all(isinstance(column, SparseRows) for column in columns):
            return None
        inner = concat_columns([c.inner for c in columns if isinstance(c, SparseRows)])
        return SparseRows(inner) if isinstance(inner, Ragged) else None

    def group(self, size: int) -> Column:
        """Make batches of the values at once."""
        bounds = [*range(0, len(self), size), len(self)]
        splits, values = self.inner.splits, self.inner.values
        return Objects([sparse_batch_of(values, splits[a : b + 1]) for a, b in pairwise(bounds)])


def sparse_batch_of(values: NDArray[Any], splits: NDArray[np.int64]) -> SparseTensor:
    """Return the sparse array whose rows are the values between splits.

    Example:
        >>> sparse_batch_of(np.array([5, 6, 7]), np.array([0, 2, 2, 3])).indices.tolist()
        [[0, 0], [0, 1], [2, 0]]
    """
    lengths = np.diff(splits)
    first, last = splits[0], splits[-1]
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(last - first) - np.repeat(splits[:-1] - first, lengths)
    shape = [len(lengths), lengths.max(initial=0)]
    return SparseTensor(np.stack([row, place], axis=1), values[first:last].copy(), shape)
