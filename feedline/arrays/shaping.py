"""shaping: shapes, and the same numbers in another shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import axes_of, boxed, dtype_of, given, scalar, static_ints
from feedline.errors import BuildError, SpecError
from feedline.graph.operation import operation
from feedline.graph.rule import loops
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in
from feedline.ragged import RaggedTensor
from feedline.shapes import as_shape, shapes_agree
from feedline.sparse import SparseTensor
from feedline.values.tensor_shape import TensorShape

__all__ = [
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "ensure_shape",
    "expand_dims",
    "rank",
    "reshape",
    "shape",
    "shape_n",
    "size",
    "squeeze",
    "transpose",
]


def shape(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """Return the lengths of the axes as an int32 array.

    Example:
        >>> shape([[1, 2, 3]])
        array([1, 3], dtype=int32)
    """
    dtype = np.dtype(np.int32) if out_type is None else dtype_of(out_type)
    array = given(input)
    if isinstance(array, Symbol):
        if array.shape is None or None in array.shape:
            return _shape(array, dtype)
        return np.array(array.shape, dtype)
    if isinstance(array, SparseTensor):
        return np.asarray(array.plain_shape, dtype)
    if isinstance(array, RaggedTensor):
        raise BuildError("shape(): a RaggedTensor has no lengths in common; see row_lengths().")
    return _shape(array, dtype)


def shape_n(input: Any, out_type: Any = np.int32, name: str | None = None) -> list[Any]:
    """Return the lengths of the axes of several arrays."""
    return [shape(array, out_type) for array in input]


@operation
def _shape(array: Any, dtype: Any) -> Any:
    return np.array(np.shape(array), dtype)


def size(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """Return how many numbers an array holds, as int32."""
    dtype = np.dtype(np.int32) if out_type is None else dtype_of(out_type)
    if isinstance(input, RaggedTensor):
        return dtype.type(input.plain_flat_values.size)
    return np.prod(shape(input, dtype), dtype=dtype)


def rank(input: Any, name: str | None = None) -> Any:
    """Return how many axes an array has, as int32."""
    array = given(input)
    if isinstance(array, SparseTensor):
        return np.int32(len(array.plain_shape))
    has_axes = isinstance(array, (Symbol, RaggedTensor))
    return np.int32(array.ndim if has_axes else np.ndim(array))


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """Return the same numbers in another shape; one length may be -1.

    Example:
        >>> reshape([1, 2, 3, 4], [2, -1])
        array([[1, 2],
               [3, 4]], dtype=int32)
    """
    array, lengths = given(tensor), static_ints(shape)
    if lengths is None:
        return _reshape(array, shape)
    return scalar(np.reshape(array, lengths))


@operation
def _reshape(array: Any, lengths: Any) -> Any:
    return np.reshape(array, [int(length) for length in lengths])


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """Return an array with an axis of length 1 more."""
    array = boxed(given(input))
    try:
        return np.expand_dims(array, axes_of(axis))
    except np.exceptions.AxisError as error:
        raise BuildError(f"expand_dims(): {error}.") from error


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Return an array without its axes of length 1."""
    axes = axes_of(axis)
    array = given(input)
    try:
        return scalar(np.squeeze(array, None if axes == () else axes))
    except ValueError as error:
        raise BuildError(f"squeeze(): {error}, got shape {list(array.shape)}.") from error


def transpose(
    a: Any, perm: Any = None, conjugate: bool = False, name: str | None = "transpose"
) -> Any:
    """Return an array with its axes in another order: reversed, if none is given."""
    array = given(a)
    if conjugate:
        array = np.conjugate(array)
    return np.transpose(array, axes_of(perm))


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """Return an array repeated along axes until it has a shape."""
    lengths = static_ints(shape)
    array = given(input)
    if lengths is None:
        return _broadcast(array, shape)
    return np.copy(np.broadcast_to(array, lengths))


@operation
def _broadcast(array: Any, lengths: Any) -> Any:
    return np.broadcast_to(array, [int(length) for length in lengths]).copy()


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """Return the shape that two arrays of known shapes have together.

    Example:
        >>> broadcast_static_shape([3, 1], [4])
        TensorShape([3, 4])
    """
    shapes = static_ints(shape_x) or (), static_ints(shape_y) or ()
    return TensorShape(np.broadcast_shapes(*shapes))


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Any:
    """Return the shape that two arrays have together, as an array."""
    if symbols_in([shape_x, shape_y]):
        return _broadcast_shape(given(shape_x), given(shape_y))
    return np.array(broadcast_static_shape(shape_x, shape_y), np.int32)


@operation
def _broadcast_shape(first: Any, second: Any) -> Any:
    return np.array(np.broadcast_shapes(tuple(first), tuple(second)), np.int32)


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """Return the array if it has the shape, where None fits any length; raise if it has not."""
    array, wanted = given(x), as_shape(shape)
    if isinstance(array, Symbol) and (array.shape is None or None in array.shape):
        assumed = array.trace.ensured(array, wanted)
        return _ensured(array, wanted) if assumed is None else assumed
    found = array.shape if isinstance(array, Symbol) else np.shape(array)
    if not shapes_agree(wanted, found):
        raise SpecError(f"ensure_shape(): the shape must be {wanted}, got {found}.")
    return array


@operation
def _ensured(array: Any, wanted: Any) -> Any:
    if not shapes_agree(wanted, np.shape(array)):
        raise SpecError(f"ensure_shape(): the shape must be {wanted}, got {np.shape(array)}.")
    return array


loops(_shape, _broadcast_shape, _broadcast, fresh=True)
loops(_reshape, _ensured)
