"""sequence_output: one feature list of the result, made of a run of SequenceExamples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Objects, Ragged
from feedline.kernels.example import BYTES, Wanted
from feedline.kernels.pad_rows import pad_rows
from feedline.leaf_spec import RaggedTensorSpec, SparseTensorSpec, TensorSpec
from feedline.parsing.failures import Where
from feedline.parsing.output import DTYPES, Found, Output, each_batch
from feedline.parsing.ragged_output import RaggedOutput
from feedline.parsing.values import array_of
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor

__all__ = ["RaggedList", "SparseList", "StepList"]


@dataclass(frozen=True)
class StepList(Output):
    """An array of one shape at every step; filled up with zeros in a batch."""

    key: bytes
    kind: int
    shape: tuple[int, ...]
    required: bool

    def wanted(self) -> list[Wanted]:
        """As many values at every step as the shape has."""
        return [Wanted(self.key, self.kind, math.prod(self.shape), self.required)]

    def row_spec(self) -> TensorSpec:
        """Steps along the first axis."""
        return TensorSpec((None, *self.shape), DTYPES[self.kind])

    def rows(self, found: Found, where: Where) -> Column:
        """The steps of each."""
        return self._steps(found)

    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """Filled up to the longest of a batch."""
        steps = self._steps(found)
        fill: Any = b"" if self.kind == BYTES else 0

        def padded(start: int, stop: int) -> Any:
            part = steps.slice(start, stop)
            return pad_rows(part.values, part.splits, int(part.lengths.max(initial=0)), fill)

        return each_batch(splits, padded)

    def lengths(self, found: Found) -> NDArray[np.int64]:
        """Return how many steps each record has."""
        return self._steps(found).lengths

    def _steps(self, found: Found) -> Ragged:
        one = found[self.key]
        assert one.steps is not None
        return Ragged(array_of(one).reshape(int(one.steps[-1]), *self.shape), one.steps)


@dataclass(frozen=True)
class SparseList(Output):
    """A sparse tensor: steps along one axis, their values along the other."""

    key: bytes
    kind: int

    def wanted(self) -> list[Wanted]:
        """Any number of values at every step."""
        return [Wanted(self.key, self.kind, -1, False)]

    def row_spec(self) -> SparseTensorSpec:
        """Two axes."""
        return SparseTensorSpec((None, None), DTYPES[self.kind])

    def rows(self, found: Found, where: Where) -> Column:
        """One for each record."""
        made = [self._batch(found, number, number + 1).row(0) for number in range(found.count)]
        return Objects(made)

    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """Three axes."""
        return each_batch(splits, lambda start, stop: self._batch(found, start, stop))

    def _batch(self, found: Found, start: int, stop: int) -> SparseTensor:
        one = found[self.key]
        assert one.steps is not None
        assert one.splits is not None
        steps = one.steps[start : stop + 1]
        splits = one.splits[steps[0] : steps[-1] + 1]
        counts, lengths = np.diff(steps), np.diff(splits)
        record = np.repeat(np.repeat(np.arange(stop - start), counts), lengths)
        step = np.arange(len(lengths)) - np.repeat(steps[:-1] - steps[0], counts)
        place = np.arange(splits[-1] - splits[0]) - np.repeat(splits[:-1] - splits[0], lengths)
        indices = np.stack([record, np.repeat(step, lengths), place], axis=1)
        shape = [stop - start, counts.max(initial=0), lengths.max(initial=0)]
        return SparseTensor(indices, array_of(one)[splits[0] : splits[-1]].copy(), shape)


@dataclass(frozen=True)
class RaggedList(Output):
    """A ragged tensor: the rows of every step of every record."""

    step: RaggedOutput

    def wanted(self) -> list[Wanted]:
        """Any number of values at every step."""
        return self.step.wanted()

    def row_spec(self) -> RaggedTensorSpec:
        """The steps."""
        spec: RaggedTensorSpec = self.step.batch_spec()
        return spec

    def batch_spec(self) -> RaggedTensorSpec:
        """The steps of several records."""
        spec = self.row_spec()
        axes = (None, *(spec.shape or ()))
        return RaggedTensorSpec(axes, spec.dtype, spec.ragged_rank + 1, spec.row_splits_dtype)

    def rows(self, found: Found, where: Where) -> Column:
        """The steps of each."""
        steps, splits = self._steps(found, where)
        return Objects([steps[a:b] for a, b in pairwise(splits.tolist())])

    def batches(self, found: Found, splits: NDArray[np.int64], where: Where) -> Column:
        """Those of several."""
        steps, records = self._steps(found, where)

        def made(start: int, stop: int) -> RaggedTensor:
            part = records[start : stop + 1]
            rows = (part - part[0]).astype(self.step.splits_dtype)
            return RaggedTensor(steps[int(part[0]) : int(part[-1])], rows)

        return each_batch(splits, made)

    def _steps(self, found: Found, where: Where) -> tuple[RaggedTensor, NDArray[np.int64]]:
        records = found[self.step.key].steps
        assert records is not None
        inner, splits = self.step.nested(found, where.of_steps())
        return RaggedTensor(inner, splits.astype(self.step.splits_dtype)), records
