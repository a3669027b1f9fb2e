"""leaf_spec: what a single leaf looks like before it exists: dtype and shape.

``None`` in a shape stands for a length that varies; a shape of None for a rank that varies.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.leaf import as_leaf
from feedline.ragged import RaggedTensor
from feedline.shapes import Shape, as_shape, merge_shapes, shapes_agree
from feedline.sparse import SparseTensor
from feedline.structure import structure_of
from feedline.values.dtype import DType, as_dtype
from feedline.values.tensor import Tensor
from feedline.values.tensor_shape import TensorShape

__all__ = [
    "DatasetSpec",
    "HolderSpec",
    "IteratorSpec",
    "LeafSpec",
    "NoneTensorSpec",
    "OptionalSpec",
    "RaggedTensorSpec",
    "SparseTensorSpec",
    "TensorSpec",
    "TypeSpec",
    "array_spec",
    "leaf_spec",
    "specs_agree",
    "string",
    "with_face",
]

# bytes and str leaves: TensorFlow's name for them. An array of them has dtype object.
string = np.dtype(object)


class LeafSpec:
    """Base of the specs of single leaves."""

    __slots__ = ()
    __feedline_leaf__: ClassVar[bool] = True

    shape: Shape
    dtype: np.dtype[Any]

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a value or another spec could stand where this spec is declared."""
        other = array_spec(leaf_spec(spec_or_tensor))
        if type(other) is not type(self) or other.dtype != self.dtype:
            return False
        return shapes_agree(as_shape(self.shape), as_shape(other.shape))

    def most_specific_compatible_type(self, other: Any) -> LeafSpec:
        """Return the narrowest spec of all values of this one and of another.

        Example:
            >>> TensorSpec([2, 3]).most_specific_compatible_type(TensorSpec([2, 4]))
            TensorSpec(shape=(2, None), dtype=tf.float32, name=None)
        """
        if not _differ_in_shape_alone(self, other):
            raise BuildError(f"most_specific_compatible_type(): {self} and {other} have none.")
        merged = copy(self)
        if self.shape != other.shape:
            object.__setattr__(merged, "shape", merge_shapes(self.shape, other.shape))
        return merged

    def row_spec(self) -> LeafSpec:
        """Return the spec of one slice along the first axis."""
        raise SpecError(f"{self} has no first axis.")

    def batch_spec(self, size: int | None) -> LeafSpec:
        """Return the spec of ``size`` such leaves stacked; None if the number varies."""
        raise SpecError(f"{self} cannot be stacked.")


def _differ_in_shape_alone(first: Any, second: Any) -> bool:
    if type(first) is not type(second):
        return False
    names = {field.name for field in fields(first)} - {"shape", "name"}
    return all(getattr(first, name) == getattr(second, name) for name in names)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class TensorSpec(LeafSpec):
    """An array, scalar or string leaf.

    Example:
        >>> TensorSpec([None, 3], np.float32)
        TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)
    """

    shape: Shape
    dtype: np.dtype[Any]
    name: str | None

    def __init__(self, shape: Any, dtype: Any = np.float32, name: str | None = None) -> None:
        object.__setattr__(self, "shape", _shape_of(shape))
        object.__setattr__(self, "dtype", _as_dtype(dtype))
        object.__setattr__(self, "name", name)

    @property
    def rank(self) -> int | None:
        """The number of axes, or None if it varies."""
        known = as_shape(self.shape)
        return None if known is None else len(known)

    @property
    def value_type(self) -> type:
        """The class of such leaves."""
        return Tensor

    @staticmethod
    def from_tensor(tensor: Any, name: str | None = None) -> TensorSpec:
        """Return the spec of an array, scalar or string.

        Example:
            >>> TensorSpec.from_tensor(np.zeros((2, 3)))
            TensorSpec(shape=(2, 3), dtype=tf.float64, name=None)
        """
        found = leaf_spec(tensor)
        if not isinstance(found, TensorSpec):
            raise BuildTypeError(
                f"TensorSpec.from_tensor(): tensor must be an array, scalar or string, got {found}."
            )
        return TensorSpec(found.shape, found.dtype, name)

    @staticmethod
    def from_spec(spec: Any, name: str | None = None) -> TensorSpec:
        """Return a spec of the same shape and dtype; ``name`` replaces its name if given."""
        return TensorSpec(spec.shape, spec.dtype, name or getattr(spec, "name", None))

    def row_spec(self) -> TensorSpec:
        """Return the spec of one slice along the first axis."""
        if self.shape == ():
            raise SpecError(f"{self} has no first axis.")
        return TensorSpec(_of_row(self.shape), self.dtype)

    def batch_spec(self, size: int | None) -> TensorSpec:
        """Return the spec of ``size`` such leaves stacked."""
        return TensorSpec(_of_batch(size, self.shape), self.dtype)

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={as_dtype(self.dtype)!r}, name={self.name!r})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class RaggedTensorSpec(LeafSpec):
    """A RaggedTensor leaf, or with a ragged_rank of 0 a row of one, which is an array.

    A batch of such rows is ragged again.

    Example:
        >>> from feedline.ragged import constant
        >>> RaggedTensorSpec.from_value(constant([[1, 2], [3]])).shape
        TensorShape([2, None])
    """

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
        object.__setattr__(self, "shape", _shape_of(known))
        object.__setattr__(self, "dtype", _as_dtype(dtype))
        object.__setattr__(self, "ragged_rank", rank if ragged_rank is None else ragged_rank)
        object.__setattr__(self, "row_splits_dtype", np.dtype(row_splits_dtype))

    @staticmethod
    def from_value(value: RaggedTensor) -> RaggedTensorSpec:
        """Return the spec of a RaggedTensor."""
        splits = value.plain_splits.dtype
        return RaggedTensorSpec(value.shape, value.dtype, value.ragged_rank, splits)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value or another spec could stand where this spec is declared."""
        if self.ragged_rank == 0:
            return TensorSpec(self.shape, self.dtype).is_compatible_with(spec_or_value)
        other = leaf_spec(spec_or_value)
        if not isinstance(other, RaggedTensorSpec):
            return False
        mine = (self.dtype, self.ragged_rank, self.row_splits_dtype)
        theirs = (other.dtype, other.ragged_rank, other.row_splits_dtype)
        agree = shapes_agree(as_shape(self.shape), as_shape(other.shape))
        return mine == theirs and agree

    @property
    def value_type(self) -> type:
        """The class of such leaves: a row of a ragged value of one ragged axis is an array."""
        return RaggedTensor if self.ragged_rank else Tensor

    def row_spec(self) -> LeafSpec:
        """Return the spec of one row: ragged itself, or an array of varying length."""
        shape = _of_row(self.shape)
        if self.ragged_rank == 0:
            return TensorSpec(shape, self.dtype)
        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank - 1, self.row_splits_dtype)

    def batch_spec(self, size: int | None) -> RaggedTensorSpec:
        """Return the spec of ``size`` such leaves stacked."""
        shape = _of_batch(size, self.shape)
        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank + 1, self.row_splits_dtype)

    def __repr__(self) -> str:
        dtype, splits = as_dtype(self.dtype), as_dtype(self.row_splits_dtype)
        shape = TensorShape(self.shape)
        return f"RaggedTensorSpec({shape!r}, {dtype!r}, {self.ragged_rank}, {splits!r})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SparseTensorSpec(LeafSpec):
    """A SparseTensor leaf."""

    shape: Shape
    dtype: np.dtype[Any]

    def __init__(self, shape: Any = None, dtype: Any = np.float32) -> None:
        object.__setattr__(self, "shape", _shape_of(shape))
        object.__setattr__(self, "dtype", _as_dtype(dtype))

    @staticmethod
    def from_value(value: SparseTensor) -> SparseTensorSpec:
        """Return the spec of a SparseTensor."""
        return SparseTensorSpec(value.shape, value.dtype)

    @property
    def value_type(self) -> type:
        """The class of such leaves."""
        return SparseTensor

    def row_spec(self) -> SparseTensorSpec:
        """Return the spec of one slice along the first axis."""
        return SparseTensorSpec(_of_row(self.shape), self.dtype)

    def batch_spec(self, size: int | None) -> SparseTensorSpec:
        """Return the spec of ``size`` such leaves stacked."""
        return SparseTensorSpec(_of_batch(size, self.shape), self.dtype)

    def __repr__(self) -> str:
        return f"SparseTensorSpec({TensorShape(self.shape)!r}, {as_dtype(self.dtype)!r})"


class _ObjectSpec(LeafSpec):
    """A leaf that is one object without axes."""

    __slots__ = ()

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        """No axes."""
        return ()

    @property
    def dtype(self) -> np.dtype[Any]:  # type: ignore[override]
        """An object."""
        return string


@dataclass(frozen=True, slots=True)
class HolderSpec(_ObjectSpec):
    """Something that gives elements of ``element_spec``."""

    element_spec: Any

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Return the spec of a value of this kind."""
        return cls(value.element_spec)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value or another spec could stand where this spec is declared."""
        other = leaf_spec(spec_or_value)
        return type(other) is type(self) and specs_agree(self.element_spec, other.element_spec)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DatasetSpec(HolderSpec):
    """A leaf that is itself a dataset, such as a window.

    ``value_type`` is the class of such leaves; it lives above this module and enters itself.
    """

    dataset_shape: Shape
    value_type: ClassVar[Any] = None

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        object.__setattr__(self, "element_spec", element_spec)
        object.__setattr__(self, "dataset_shape", as_shape(dataset_shape))

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        """The shape of an array of such datasets; () for one."""
        return self.dataset_shape

    def batch_spec(self, size: int | None) -> DatasetSpec:
        """Return the spec of ``size`` such datasets in an array."""
        return DatasetSpec(self.element_spec, (size, *(self.dataset_shape or ())))

    def row_spec(self) -> DatasetSpec:
        """Return the spec of one slice along the first axis of an array of datasets."""
        if not self.dataset_shape:
            raise SpecError(f"{self} has no first axis.")
        return DatasetSpec(self.element_spec, self.dataset_shape[1:])

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, {TensorShape(self.dataset_shape)!r})"


@dataclass(frozen=True, slots=True)
class IteratorSpec(HolderSpec):
    """An iterator over elements of ``element_spec``."""


@dataclass(frozen=True, slots=True)
class OptionalSpec(HolderSpec):
    """A value of ``element_spec`` that may be absent."""


@dataclass(frozen=True, slots=True)
class NoneTensorSpec(_ObjectSpec):
    """A leaf that is None."""

    def batch_spec(self, size: int | None) -> NoneTensorSpec:
        """A batch of Nones is None."""
        return self

    def row_spec(self) -> NoneTensorSpec:
        """So is what is in it."""
        return self


def array_spec(spec: Any) -> Any:
    """Return a TensorSpec for what is an array as a row of a RaggedTensor, others as they are."""
    if isinstance(spec, RaggedTensorSpec) and spec.ragged_rank == 0:
        return TensorSpec(spec.shape, spec.dtype)
    return spec


def leaf_spec(value: Any) -> Any:
    """Return the spec of one leaf; a spec is its own."""
    if isinstance(value, LeafSpec):
        return value
    leaf = as_leaf(value)
    if leaf is None:
        return NoneTensorSpec()
    if isinstance(leaf, SparseTensor):
        return SparseTensorSpec.from_value(leaf)
    if isinstance(leaf, RaggedTensor):
        return RaggedTensorSpec.from_value(leaf)
    if isinstance(leaf, (np.ndarray, np.generic)):
        return TensorSpec(leaf.shape, leaf.dtype)
    if hasattr(leaf, "element_spec"):
        # Iterators and optionals say what they are; everything else like them is a dataset.
        return getattr(leaf, "spec_type", DatasetSpec)(leaf.element_spec)
    return TensorSpec((), string)


def _of_row(shape: Shape) -> Shape:
    known = as_shape(shape)
    return None if known is None else known[1:]


def _of_batch(size: int | None, shape: Shape) -> Shape:
    known = as_shape(shape)
    return None if known is None else (size, *known)


TypeSpec = LeafSpec  # the name that isinstance() is asked with in TensorFlow


def with_face(spec: Any) -> Any:
    """Return specs whose shapes and dtypes answer to TensorFlow's habits, equal to those given.

    Inside, an unknown rank is a shape of None, and dtypes are NumPy's.
    """
    structure = structure_of(spec)
    if not structure.is_leaf:
        return structure.pack([with_face(leaf) for leaf in structure.flatten(spec)])
    made: Any = copy(spec)
    if isinstance(spec, HolderSpec):
        object.__setattr__(made, "element_spec", with_face(spec.element_spec))
    elif isinstance(spec, (TensorSpec, RaggedTensorSpec, SparseTensorSpec)):
        object.__setattr__(made, "shape", TensorShape(spec.shape))
        object.__setattr__(made, "dtype", as_dtype(spec.dtype))
    else:
        return spec
    return made


def specs_agree(first: Any, second: Any) -> bool:
    """Whether one element could have both specs."""
    structure = structure_of(first)
    if structure_of(second).aligned(structure) is None:
        return False
    pairs = zip(structure.flatten(first), structure.flatten(second), strict=True)
    return all(one.is_compatible_with(other) for one, other in pairs)


def _shape_of(shape: Any) -> Shape:
    known = as_shape(shape)
    return None if known is None else TensorShape(known)


def _as_dtype(dtype: Any) -> np.dtype[Any]:
    if dtype is str or dtype is bytes or dtype in ("string", "str", "bytes"):
        return string
    if isinstance(dtype, DType):
        return dtype.dtype
    if dtype is None:
        raise BuildTypeError("a spec needs a dtype, got None.")
    found = np.dtype(dtype)
    return string if found.kind in "SU" else found
