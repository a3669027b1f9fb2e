"""spec: what an element looks like before it exists: structure, dtype, shape.

A spec is an element whose leaves are TensorSpec and its relatives.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.errors import SpecError
from feedline.leaf_spec import (
    DatasetSpec,
    HolderSpec,
    IteratorSpec,
    LeafSpec,
    NoneTensorSpec,
    OptionalSpec,
    RaggedTensorSpec,
    SparseTensorSpec,
    TensorSpec,
    TypeSpec,
    array_spec,
    leaf_spec,
    specs_agree,
    string,
)
from feedline.ragged import RaggedTensor
from feedline.shapes import Shape, as_shape, merge_shapes, shapes_agree
from feedline.sparse import SparseTensor
from feedline.structure import structure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "DatasetSpec",
    "IteratorSpec",
    "LeafSpec",
    "NoneTensorSpec",
    "OptionalSpec",
    "RaggedTensorSpec",
    "Shape",
    "SparseTensorSpec",
    "TensorSpec",
    "TypeSpec",
    "array_spec",
    "as_shape",
    "map_spec",
    "merge_shapes",
    "merge_specs",
    "shapes_agree",
    "spec_of",
    "specs_agree",
    "string",
    "zeros_of",
]


def spec_of(element: Any) -> Any:
    """Return the spec of one element.

    Example:
        >>> spec_of({"a": np.int64(1)})
        {'a': TensorSpec(shape=(), dtype=tf.int64, name=None)}
    """
    structure = structure_of(element)
    return structure.pack([leaf_spec(leaf) for leaf in structure.flatten(element)])


def zeros_of(spec: Any) -> Any:
    """Return an element of zeros and empty strings that has ``spec``; unknown lengths are 1."""
    return map_spec(_zeros_of_leaf, spec)


def _zeros_of_leaf(leaf: Any) -> Any:
    if isinstance(leaf, NoneTensorSpec):
        return None
    shape = tuple(1 if n is None else n for n in leaf.shape or ())
    if isinstance(leaf, DatasetSpec):
        inner = leaf.element_spec
        one = leaf.value_type.from_generator(
            lambda: iter([zeros_of(inner)]), output_signature=inner
        )
        several = np.empty(shape, object)
        several.fill(one)  # np.full() would look inside
        return several if shape else one
    if isinstance(leaf, SparseTensorSpec):
        return SparseTensor(np.empty((0, len(shape))), np.empty(0, leaf.dtype), shape)
    if isinstance(leaf, RaggedTensorSpec):
        return _zeros_of_ragged(leaf, shape)
    if not isinstance(leaf, TensorSpec):
        raise SpecError(f"no example of {leaf} can be made.")
    return _zeros(shape, leaf.dtype)


def _zeros_of_ragged(leaf: RaggedTensorSpec, shape: tuple[int, ...]) -> Any:
    rank = leaf.ragged_rank
    value: Any = _zeros((math.prod(shape[: rank + 1]), *shape[rank + 1 :]), leaf.dtype)
    for axis in range(rank, 0, -1):
        splits = np.arange(math.prod(shape[:axis]) + 1) * shape[axis]
        value = RaggedTensor(value, splits.astype(leaf.row_splits_dtype))
    return value


def _zeros(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    if dtype != object:
        return np.zeros(shape, dtype)[()]
    return np.full(shape, b"", object) if shape else b""


def map_spec(function: Any, *specs: Any) -> Any:
    """Return the spec whose leaves are ``function`` of the leaves of one or more specs."""
    structure = structure_of(specs[0])
    leaves = [structure.flatten(spec) for spec in specs]
    return structure.pack([function(*group) for group in zip(*leaves, strict=True)])


def merge_specs(specs: Sequence[Any]) -> Any:
    """Return the narrowest spec that covers all of ``specs``; dtypes must agree."""
    merged = specs[0]
    for spec in specs[1:]:
        merged = map_spec(_merge_leaves, merged, spec)
    return merged


def _merge_leaves(first: Any, second: Any) -> Any:
    if first == second:
        return first
    if type(first) is not type(second):
        first, second = array_spec(first), array_spec(second)
    if type(first) is not type(second):
        raise SpecError(f"{first} and {second} have no common spec.")
    if isinstance(first, DatasetSpec):
        merged = merge_specs([first.element_spec, second.element_spec])
        return DatasetSpec(merged, merge_shapes(first.dataset_shape, second.dataset_shape))
    if isinstance(first, HolderSpec):
        return type(first)(merge_specs([first.element_spec, second.element_spec]))
    if first.dtype != second.dtype:
        raise SpecError(f"dtypes {first.dtype} and {second.dtype} have no common spec.")
    shape = merge_shapes(first.shape, second.shape)
    if not isinstance(first, RaggedTensorSpec):
        return type(first)(shape, first.dtype)
    if (first.ragged_rank, first.row_splits_dtype) != (second.ragged_rank, second.row_splits_dtype):
        raise SpecError(f"{first} and {second} have no common spec.")
    return RaggedTensorSpec(shape, first.dtype, first.ragged_rank, first.row_splits_dtype)
