"""features: what a record is asked for. Plain tuples, with TensorFlow's names and defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

__all__ = [
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "RaggedFeature",
    "RowLengths",
    "RowLimits",
    "RowSplits",
    "RowStarts",
    "SparseFeature",
    "UniformRowLength",
    "ValueRowIds",
    "VarLenFeature",
]


class FixedLenFeature(NamedTuple):
    """The same number of values in every record: an array of ``shape``.

    Args:
        shape: Of one record; ``[]`` for a single value.
        dtype: float32, int64 or string.
        default_value: For records without the feature, which are errors otherwise.
    """

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """Any number of arrays of ``shape``, one after the other; filled up in a batch.

    Args:
        shape: Of one step.
        dtype: float32, int64 or string.
        allow_missing: Whether a record may lack the feature: it has no steps then.
        default_value: What fills up shorter records of a batch.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class VarLenFeature(NamedTuple):
    """Any number of values: a SparseTensor.

    Args:
        dtype: float32, int64 or string.
    """

    dtype: Any


class SparseFeature(NamedTuple):
    """A SparseTensor whose indices and values are two features of a record.

    Args:
        index_key: The feature with the indices, or a list of one for each axis.
        value_key: The feature with the values.
        dtype: Of the values: float32, int64 or string.
        size: The length of the axis, or a list of one for each.
        already_sorted: Whether the indices of every record rise.
    """

    index_key: str | Sequence[str]
    value_key: str
    dtype: Any
    size: int | Sequence[int]
    already_sorted: bool = False


class RowSplits(NamedTuple):
    """Rows begin and end at the numbers of another feature, which begin with 0."""

    key: str


class RowLengths(NamedTuple):
    """Rows are as long as another feature says."""

    key: str


class RowStarts(NamedTuple):
    """Rows begin at the numbers of another feature."""

    key: str


class RowLimits(NamedTuple):
    """Rows end at the numbers of another feature."""

    key: str


class ValueRowIds(NamedTuple):
    """Another feature says for each value in which row it is."""

    key: str


class UniformRowLength(NamedTuple):
    """All rows are equally long."""

    length: int


class RaggedFeature(NamedTuple):
    """Any number of values: a row of a RaggedTensor, itself made of rows by ``partitions``.

    Args:
        dtype: float32, int64 or string.
        value_key: The feature with the values, if it is not the one of this name.
        partitions: How values are made into rows, outermost first: ``RaggedFeature.RowSplits``,
            ``RowLengths``, ``RowStarts``, ``RowLimits``, ``ValueRowIds`` of another feature, or
            ``UniformRowLength`` of a number.
        row_splits_dtype: int32 or int64.
        validate: Has no effect: partitions are always checked.
    """

    dtype: Any
    value_key: str | None = None
    partitions: Sequence[Any] = ()
    row_splits_dtype: Any = np.dtype(np.int32)
    validate: bool = False

    RowSplits = RowSplits  # type: ignore[misc]
    RowLengths = RowLengths  # type: ignore[misc]
    RowStarts = RowStarts  # type: ignore[misc]
    RowLimits = RowLimits  # type: ignore[misc]
    ValueRowIds = ValueRowIds  # type: ignore[misc]
    UniformRowLength = UniformRowLength  # type: ignore[misc]
