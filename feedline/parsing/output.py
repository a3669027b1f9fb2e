"""output: one feature of the result, made of what a parser found in a run of records."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Dense, Objects, Ragged
from feedline.kernels.example import BYTES, FLOATS, INTS, FeatureValues, Wanted
from feedline.kernels.pad_rows import pad_rows
from feedline.leaf_spec import SparseTensorSpec, TensorSpec
from feedline.parsing.failures import Where
from feedline.parsing.values import array_of, filled
from feedline.sparse_rows import SparseRows, sparse_batch_of

__all__ = ["DTYPES", "FixedLen", "FixedLenSequence", "Found", "Output", "VarLen", "each_batch"]


@dataclass(frozen=True)
class Found:
    """What a parser found in ``count`` records, by their keys."""

    count: int
    features: Mapping[bytes, FeatureValues]

    def __getitem__(self, key: bytes) -> FeatureValues:
        return self.features[key]


DTYPES: dict[int, Any] = {
    BYTES: np.dtype(object),
    FLOATS: np.dtype(np.float32),
    INTS: np.dtype(np.int64),
}


class Output(ABC):
    """One feature of the result.

    There are two kinds of results: one for each record, and one for each batch of them. For
    one record or one batch alone they are columns with one value.
    """

    @abstractmethod
    def wanted(self) -> list[Wanted]:
        """Return what is needed of a record."""

    @abstractmethod
    def row_spec(self) -> Any:
        """Return the spec of the result for one record."""

    def batch_spec(self) -> Any:
        """Return the spec of the result for a batch."""
        return self.row_spec().batch_spec(None)

    @abstractmethod
    def rows(self, found: Found, where: Where) -> Column:
        """Return the results for the records."""

    @abstractmethod
    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """Return the results for the batches of records between splits."""


@dataclass(frozen=True)
class FixedLen(Output):
    """An array of one shape. ``default`` holds its numbers, or its byte strings."""

    key: bytes
    kind: int
    shape: tuple[int, ...]
    default: tuple[Any, ...] | None

    def wanted(self) -> list[Wanted]:
        """As many values as the shape has."""
        return [Wanted(self.key, self.kind, math.prod(self.shape), self.default is None)]

    def row_spec(self) -> TensorSpec:
        """An array."""
        return TensorSpec(self.shape, DTYPES[self.kind])

    def rows(self, found: Found, where: Where) -> Column:
        """One row of an array for each."""
        if self.kind == BYTES and self.shape == ():
            return filled(found[self.key], list(self.default or ()))
        return Dense(self._array(found))

    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """Many rows."""
        return Ragged(self._array(found), splits)

    def _array(self, found: Found) -> NDArray[Any]:
        one = found[self.key]
        if self.kind == BYTES:
            strings = filled(one, list(self.default or ()))
            array = np.empty(len(strings), object)
            array[:] = strings.rows()
            return array.reshape(found.count, *self.shape)
        array = one.values
        if self.shape:
            array = array.reshape(found.count, *self.shape)
        if len(one.missing):
            array[one.missing] = np.array(self.default, array.dtype).reshape(self.shape)
        return array


@dataclass(frozen=True)
class FixedLenSequence(Output):
    """Any number of arrays of one shape."""

    key: bytes
    kind: int
    shape: tuple[int, ...]
    fill: Any

    def wanted(self) -> list[Wanted]:
        """Any number of values."""
        return [Wanted(self.key, self.kind, -1, False)]

    def row_spec(self) -> TensorSpec:
        """Steps along the first axis."""
        return TensorSpec((None, *self.shape), DTYPES[self.kind])

    def rows(self, found: Found, where: Where) -> Column:
        """The steps of each."""
        return self._steps(found[self.key], where)

    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """Filled up to the longest of a batch."""
        steps = self._steps(found[self.key], where)

        def padded(start: int, stop: int) -> Any:
            part = steps.slice(start, stop)
            longest = int(part.lengths.max(initial=0))
            return pad_rows(part.values, part.splits, longest, self.fill)

        return each_batch(splits, padded)

    def _steps(self, found: FeatureValues, where: Where) -> Ragged:
        assert found.splits is not None
        size = math.prod(self.shape)
        counts = np.diff(found.splits)
        where.check_each(
            counts % size == 0,
            self.key,
            f"the number of values is no multiple of the {size} of a step of shape {self.shape}.",
        )
        return Ragged(array_of(found).reshape(-1, *self.shape), found.splits // size)


@dataclass(frozen=True)
class VarLen(Output):
    """A sparse tensor of one axis."""

    key: bytes
    kind: int

    def wanted(self) -> list[Wanted]:
        """Any number of values."""
        return [Wanted(self.key, self.kind, -1, False)]

    def row_spec(self) -> SparseTensorSpec:
        """One axis."""
        return SparseTensorSpec((None,), DTYPES[self.kind])

    def rows(self, found: Found, where: Where) -> Column:
        """The values of each."""
        one = found[self.key]
        assert one.splits is not None
        return SparseRows(Ragged(array_of(one), one.splits))

    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """Two axes."""
        one = found[self.key]
        assert one.splits is not None
        values, inner = array_of(one), one.splits
        return each_batch(
            splits, lambda start, stop: sparse_batch_of(values, inner[start : stop + 1])
        )


def each_batch(splits: NDArray[np.int64], made: Callable[[int, int], Any]) -> Objects:
    """Return what is made of the records of each batch."""
    return Objects([made(start, stop) for start, stop in pairwise(splits.tolist())])
