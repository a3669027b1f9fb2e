"""spec: what an element looks like before it exists: structure, dtype, shape.

A spec is an element whose leaves are TensorSpec and its relatives. ``None`` in a shape
stands for a length that varies; a shape of None for a rank that varies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from feedline.errors import BuildTypeError, SpecError
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.structure import structure_of

__all__ = [
    "DatasetSpec",
    "LeafSpec",
    "NoneTensorSpec",
    "RaggedTensorSpec",
    "Shape",
    "SparseTensorSpec",
    "TensorSpec",
    "as_shape",
    "map_spec",
    "merge_shapes",
    "merge_specs",
    "spec_of",
    "string",
    "zeros_of",
]

Shape = tuple[int | None, ...] | None

# bytes and str leaves: TensorFlow's name for them. An array of them has dtype object.
string = np.dtype(object)


class LeafSpec:
    """Base of the specs of single leaves."""

    __slots__ = ()
    __feedline_leaf__: ClassVar[bool] = True

    shape: Shape
    dtype: np.dtype[Any]

    def row_spec(self) -> LeafSpec:
        """Return the spec of one slice along the first axis."""
        raise SpecError(f"{self} has no first axis.")

    def batch_spec(self, size: int | None) -> LeafSpec:
        """Return the spec of ``size`` such leaves stacked; None if the number varies."""
        raise SpecError(f"{self} cannot be stacked.")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class TensorSpec(LeafSpec):
    """An array, scalar or string leaf.

    Example:
        >>> TensorSpec([None, 3], np.float32)
        TensorSpec(shape=(None, 3), dtype=float32)
    """

    shape: Shape
    dtype: np.dtype[Any]
    name: str | None

    def __init__(self, shape: Any, dtype: Any = np.float32, name: str | None = None) -> None:
        object.__setattr__(self, "shape", as_shape(shape))
        object.__setattr__(self, "dtype", _as_dtype(dtype))
        object.__setattr__(self, "name", name)

    @property
    def rank(self) -> int | None:
        """The number of axes, or None if it varies."""
        return None if self.shape is None else len(self.shape)

    def is_compatible_with(self, value: Any) -> bool:
        """Whether a value or another spec could stand where this spec is declared."""
        other = value if isinstance(value, LeafSpec) else spec_of(value)
        if not isinstance(other, TensorSpec) or other.dtype != self.dtype:
            return False
        if self.shape is None or other.shape is None:
            return True
        if len(self.shape) != len(other.shape):
            return False
        pairs = zip(self.shape, other.shape, strict=True)
        return all(a is None or b is None or a == b for a, b in pairs)

    def row_spec(self) -> TensorSpec:
        """Return the spec of one slice along the first axis."""
        if self.shape == ():
            raise SpecError(f"{self} has no first axis.")
        return TensorSpec(None if self.shape is None else self.shape[1:], self.dtype)

    def batch_spec(self, size: int | None) -> TensorSpec:
        """Return the spec of ``size`` such leaves stacked."""
        return TensorSpec(None if self.shape is None else (size, *self.shape), self.dtype)

    def __repr__(self) -> str:
        shown = "string" if self.dtype == object else str(self.dtype)
        named = f", name={self.name!r}" if self.name else ""
        return f"TensorSpec(shape={self.shape}, dtype={shown}{named})"


@dataclass(frozen=True, slots=True, init=False)
class RaggedTensorSpec(LeafSpec):
    """A RaggedTensor leaf."""

    shape: Shape
    dtype: np.dtype[Any]
    ragged_rank: int
    row_splits_dtype: np.dtype[Any]

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = np.float32,
        ragged_rank: int | None = None,
        row_splits_dtype: Any = np.int64,
    ) -> None:
        known = as_shape(shape)
        rank = 1 if known is None else len(known) - 1
        object.__setattr__(self, "shape", known)
        object.__setattr__(self, "dtype", _as_dtype(dtype))
        object.__setattr__(self, "ragged_rank", rank if ragged_rank is None else ragged_rank)
        object.__setattr__(self, "row_splits_dtype", np.dtype(row_splits_dtype))

    def row_spec(self) -> LeafSpec:
        """Return the spec of one row: ragged itself, or an array of varying length."""
        shape = None if self.shape is None else self.shape[1:]
        if self.ragged_rank <= 1:
            return TensorSpec(shape, self.dtype)
        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank - 1, self.row_splits_dtype)

    def batch_spec(self, size: int | None) -> RaggedTensorSpec:
        """Return the spec of ``size`` such leaves stacked."""
        shape = None if self.shape is None else (size, None, *self.shape[1:])
        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank + 1, self.row_splits_dtype)


@dataclass(frozen=True, slots=True, init=False)
class SparseTensorSpec(LeafSpec):
    """A SparseTensor leaf."""

    shape: Shape
    dtype: np.dtype[Any]

    def __init__(self, shape: Any = None, dtype: Any = np.float32) -> None:
        object.__setattr__(self, "shape", as_shape(shape))
        object.__setattr__(self, "dtype", _as_dtype(dtype))

    def row_spec(self) -> SparseTensorSpec:
        """Return the spec of one slice along the first axis."""
        return SparseTensorSpec(None if self.shape is None else self.shape[1:], self.dtype)

    def batch_spec(self, size: int | None) -> SparseTensorSpec:
        """Return the spec of ``size`` such leaves stacked."""
        return SparseTensorSpec(None if self.shape is None else (size, *self.shape), self.dtype)


@dataclass(frozen=True, slots=True, init=False)
class DatasetSpec(LeafSpec):
    """A leaf that is itself a dataset, such as a window."""

    element_spec: Any
    dataset_shape: tuple[int | None, ...]

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        object.__setattr__(self, "element_spec", element_spec)
        object.__setattr__(self, "dataset_shape", as_shape(dataset_shape) or ())

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        """The shape of an array of such datasets; () for one."""
        return self.dataset_shape

    def batch_spec(self, size: int | None) -> DatasetSpec:
        """Return the spec of ``size`` such datasets in an array."""
        return DatasetSpec(self.element_spec, (size, *self.dataset_shape))

    @property
    def dtype(self) -> np.dtype[Any]:  # type: ignore[override]
        """A dataset is an object."""
        return string


@dataclass(frozen=True, slots=True)
class NoneTensorSpec(LeafSpec):
    """A leaf that is None."""

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        """No axes."""
        return ()

    @property
    def dtype(self) -> np.dtype[Any]:  # type: ignore[override]
        """None is an object."""
        return string

    def batch_spec(self, size: int | None) -> NoneTensorSpec:
        """A batch of Nones is None."""
        return self


def as_shape(shape: Any) -> Shape:
    """Return a shape given as a list, tuple, array or int in its one form."""
    if shape is None:
        return None
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    sizes = tuple(None if n is None or n == -1 else int(n) for n in shape)
    if any(n is not None and n < 0 for n in sizes):
        raise BuildTypeError(f"a shape has lengths of at least 0, or None, got {shape!r}.")
    return sizes


def spec_of(element: Any) -> Any:
    """Return the spec of one element.

    Example:
        >>> spec_of((np.int64(1), "x"))
        (TensorSpec(shape=(), dtype=int64), TensorSpec(shape=(), dtype=string))
    """
    structure = structure_of(element)
    return structure.pack([_leaf_spec(leaf) for leaf in structure.flatten(element)])


def _leaf_spec(leaf: Any) -> Any:
    if leaf is None:
        return NoneTensorSpec()
    if isinstance(leaf, LeafSpec):
        return leaf
    if isinstance(leaf, SparseTensor):
        return SparseTensorSpec(leaf.shape, leaf.dtype)
    if isinstance(leaf, RaggedTensor):
        return RaggedTensorSpec(
            leaf.shape, leaf.dtype, leaf.ragged_rank, leaf.row_splits.dtype
        )
    if isinstance(leaf, (np.ndarray, np.generic)):
        return TensorSpec(leaf.shape, leaf.dtype)
    if hasattr(leaf, "element_spec"):
        return DatasetSpec(leaf.element_spec)
    return TensorSpec((), string)


def zeros_of(spec: Any) -> Any:
    """Return an element of zeros and empty strings that has ``spec``; unknown lengths are 1."""

    def zero(leaf: Any) -> Any:
        if not isinstance(leaf, TensorSpec):
            raise SpecError(f"no example of {leaf} can be made.")
        shape = tuple(1 if n is None else n for n in leaf.shape or ())
        if leaf.dtype != object:
            return np.zeros(shape, leaf.dtype)[()]
        return np.full(shape, b"", object) if shape else b""

    return map_spec(zero, spec)


def map_spec(function: Any, *specs: Any) -> Any:
    """Return the spec whose leaves are ``function`` of the leaves of one or more specs."""
    structure = structure_of(specs[0])
    leaves = [structure.flatten(spec) for spec in specs]
    return structure.pack([function(*group) for group in zip(*leaves, strict=True)])


def merge_shapes(first: Shape, second: Shape) -> Shape:
    """Return the narrowest shape that covers both."""
    if first is None or second is None or len(first) != len(second):
        return None
    return tuple(a if a == b else None for a, b in zip(first, second, strict=True))


def merge_specs(specs: Sequence[Any]) -> Any:
    """Return the narrowest spec that covers all of ``specs``; dtypes must agree."""
    merged = specs[0]
    for spec in specs[1:]:
        merged = map_spec(_merge_leaves, merged, spec)
    return merged


def _merge_leaves(first: Any, second: Any) -> Any:
    if type(first) is not type(second):
        raise SpecError(f"{first} and {second} have no common spec.")
    if isinstance(first, (DatasetSpec, NoneTensorSpec)):
        return first
    if first.dtype != second.dtype:
        raise SpecError(f"dtypes {first.dtype} and {second.dtype} have no common spec.")
    shape = merge_shapes(first.shape, second.shape)
    if isinstance(first, RaggedTensorSpec):
        return RaggedTensorSpec(shape, first.dtype, first.ragged_rank, first.row_splits_dtype)
    return type(first)(shape, first.dtype)


def _as_dtype(dtype: Any) -> np.dtype[Any]:
    if dtype in (str, bytes, "string", "str", "bytes"):
        return string
    found = np.dtype(dtype)
    return string if found.kind in "SU" else found
