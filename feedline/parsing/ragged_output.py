"""ragged_output: RaggedFeature and SparseFeature, made of several features of a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Objects, Ragged
from feedline.kernels.example import INTS, Wanted
from feedline.leaf_spec import RaggedTensorSpec, SparseTensorSpec, TensorSpec
from feedline.parsing.failures import Where
from feedline.parsing.output import DTYPES, Found, Output, each_batch
from feedline.parsing.partitions import Partition
from feedline.parsing.values import array_of
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor

__all__ = ["RaggedOutput", "SparseOutput"]


@dataclass(frozen=True)
class RaggedOutput(Output):
    """Any number of values, made into rows by partitions, outermost first."""

    key: bytes
    kind: int
    partitions: tuple[Partition, ...]
    splits_dtype: np.dtype[Any]

    def wanted(self) -> list[Wanted]:
        """The values, and what the partitions are made of."""
        inner = [one for partition in self.partitions for one in partition.wanted()]
        return [Wanted(self.key, self.kind, -1, False), *inner]

    def row_spec(self) -> Any:
        """An array if all rows are equally long, rows of a ragged tensor otherwise."""
        shape, rank = self._inner_shape
        if not rank:
            return TensorSpec((None, *shape), DTYPES[self.kind])
        return RaggedTensorSpec((None, *shape), DTYPES[self.kind], rank, self.splits_dtype)

    def batch_spec(self) -> Any:
        """A ragged tensor."""
        shape, rank = self._inner_shape
        axes = (None, None, *shape)
        return RaggedTensorSpec(axes, DTYPES[self.kind], rank + 1, self.splits_dtype)

    @property
    def _inner_shape(self) -> tuple[tuple[int | None, ...], int]:
        """The lengths of the axes that partitions make, and how many are ragged.

        Axes of one length are not, unless they are made of rows that are.
        """
        shape = tuple(one.length or None for one in self.partitions)
        ragged = [number for number, length in enumerate(shape) if length is None]
        return shape, ragged[-1] + 1 if ragged else 0

    def rows(self, found: Found, where: Where) -> Column:
        """The rows of each record."""
        inner, splits = self.nested(found, where)
        if isinstance(inner, np.ndarray):
            return Ragged(inner, splits)
        return Objects([inner[start:stop] for start, stop in pairwise(splits.tolist())])

    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """Ragged tensors."""
        inner, rows = self.nested(found, where)

        def made(start: int, stop: int) -> RaggedTensor:
            part = rows[start : stop + 1]
            values = inner[int(part[0]) : int(part[-1])]
            return RaggedTensor(values, (part - part[0]).astype(self.splits_dtype))

        return each_batch(splits, made)

    def nested(self, found: Found, where: Where) -> tuple[Any, NDArray[np.int64]]:
        """Return the rows of all records, and where records begin and end among them."""
        one = found[self.key]
        assert one.splits is not None
        inner: Any = array_of(one)
        splits = one.splits
        for partition in reversed(self.partitions):
            numbers, where_from = splits[:0], splits
            if partition.key:
                other = found[partition.key]
                assert other.splits is not None
                numbers, where_from = other.values, other.splits
                where.check_each(
                    [len(where_from) == len(splits)],
                    partition.key,
                    f"it must have as many steps as {self.key.decode()!r}.",
                )
            lengths, rows = partition.rows(numbers, where_from, np.diff(splits), where)
            if partition.length and isinstance(inner, np.ndarray):
                inner = inner.reshape(int(rows.sum()), partition.length, *inner.shape[1:])
            else:
                inner = RaggedTensor(inner, _splits_of(lengths).astype(self.splits_dtype))
            splits = _splits_of(rows)
        return inner, splits


@dataclass(frozen=True)
class SparseOutput(Output):
    """A sparse tensor with its indices in other features."""

    index_keys: tuple[bytes, ...]
    key: bytes
    kind: int
    sizes: tuple[int, ...]
    already_sorted: bool

    def wanted(self) -> list[Wanted]:
        """The indices of each axis, and the values."""
        places = [Wanted(key, INTS, -1, False) for key in self.index_keys]
        return [*places, Wanted(self.key, self.kind, -1, False)]

    def row_spec(self) -> SparseTensorSpec:
        """As many axes as there are index features."""
        return SparseTensorSpec(self.sizes, DTYPES[self.kind])

    def rows(self, found: Found, where: Where) -> Column:
        """One for each record."""
        places, values, splits = self._ordered(found, where)

        def made(start: int, stop: int) -> SparseTensor:
            return SparseTensor(places[start:stop, 1:], values[start:stop], self.sizes)

        return Objects([made(a, b) for a, b in pairwise(splits.tolist())])

    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """The number of the record is one more axis."""
        places, values, by_record = self._ordered(found, where)

        def made(start: int, stop: int) -> SparseTensor:
            a, b = by_record[start], by_record[stop]
            here = places[a:b].copy()
            here[:, 0] -= start
            return SparseTensor(here, values[a:b], [stop - start, *self.sizes])

        return each_batch(splits, made)

    def _ordered(
        self, found: Found, where: Where
    ) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64]]:
        """Return indices with the number of the record first, values, and records' bounds."""
        values = found[self.key]
        assert values.splits is not None
        counts = np.diff(values.splits)
        columns: Sequence[NDArray[np.int64]] = [np.repeat(np.arange(found.count), counts)]
        for key in self.index_keys:
            one = found[key]
            assert one.splits is not None
            where.check_each(
                np.diff(one.splits) == counts,
                key,
                f"it must have an index for each value of {self.key.decode()!r}.",
            )
            columns = [*columns, one.values]
        places, all_values = np.stack(columns, axis=1), array_of(values)
        if not self.already_sorted:
            order = np.lexsort(tuple(reversed(columns)))
            places, all_values = places[order], all_values[order]
        return places, all_values, values.splits


def _splits_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    splits = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=splits[1:])
    return splits
