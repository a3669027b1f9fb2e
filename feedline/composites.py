"""composites: leaves made of several arrays, and the arrays they are made of.

A RaggedTensor is its values and the row splits of each ragged axis, from the outermost; a
SparseTensor its indices, values and dense shape. Their specs are made of specs of the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from feedline.leaf_spec import RaggedTensorSpec, SparseTensorSpec, TensorSpec
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.values.tensor import as_plain, as_tensor

__all__ = ["is_composite", "parts_of", "put_together"]

_RAGGED = (RaggedTensor, RaggedTensorSpec)
_SPARSE = (SparseTensor, SparseTensorSpec)


def is_composite(value: Any) -> bool:
    """Whether a leaf, or the spec of one, is made of several arrays."""
    return isinstance(value, (*_RAGGED, *_SPARSE))


def parts_of(value: Any) -> list[Any]:
    """Return the arrays that a composite is made of, or their specs."""
    if isinstance(value, RaggedTensorSpec):
        return _specs_of_ragged(value)
    if isinstance(value, SparseTensorSpec):
        rank = None if value.shape is None else len(value.shape)
        return [
            TensorSpec([None, rank], np.int64),
            TensorSpec([None], value.dtype),
            TensorSpec([rank], np.int64),
        ]
    if isinstance(value, RaggedTensor):
        parts = [value.flat_values, *value.nested_row_splits]
    else:
        parts = [value.indices, value.values, value.dense_shape]
    return [as_tensor(part) for part in parts]


def put_together(like: Any, parts: Iterator[Any]) -> Any:
    """Return a composite of the kind of ``like``, which may be a spec, made of the next parts."""
    if isinstance(like, _SPARSE):
        return SparseTensor(*(as_plain(next(parts)) for _ in range(3)))
    value = next(parts)
    splits = [as_plain(next(parts)) for _ in range(like.ragged_rank)]
    value = as_plain(value)
    for each in reversed(splits):
        value = RaggedTensor.from_row_splits(value, each)
    return value


def _specs_of_ragged(spec: RaggedTensorSpec) -> list[Any]:
    shape, count = spec.shape, spec.ragged_rank
    values = None if shape is None else (None, *shape[count + 1 :])
    rows = None if shape is None or shape[0] is None else shape[0] + 1
    lengths = [rows, *[None] * (count - 1)][:count]
    splits = [TensorSpec([length], spec.row_splits_dtype) for length in lengths]
    return [TensorSpec(values, spec.dtype), *splits]
