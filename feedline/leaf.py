"""leaf: what a single value inside an element may be, and how several are stacked.

A leaf is a NumPy array or scalar, ``bytes``, ``str``, None, a RaggedTensor or
SparseTensor, a nested Dataset, or any other object, which is passed along untouched.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import SpecError
from feedline.narrow import narrowed, of_list
from feedline.ragged.tensor import RaggedTensor, stack_rows
from feedline.sparse import SparseTensor
from feedline.values.tensor import as_plain
from feedline.values.tensor_shape import TensorShape

__all__ = [
    "MismatchError",
    "as_leaf",
    "describe_leaf",
    "in_native_order",
    "ingest",
    "is_array_like",
    "list_as_array",
    "stack_leaves",
]


def as_leaf(value: Any) -> Any:
    """Return what a plain Python function gave as a leaf: lists as arrays.

    Python numbers become int32 and float32, an integer that does not fit int32 makes the whole
    value int64. NumPy's arrays and numbers keep their dtype.
    """
    if getattr(type(value), "is_tensor_type", False):
        value = as_plain(value)
    if isinstance(value, np.ndarray):
        if type(value) is not np.ndarray:
            value = _without_class(value)
        if value.dtype.kind in "SU":
            value = value.astype(object)
        return value if value.ndim else _scalar(value)
    if isinstance(value, np.generic):
        return value.item() if isinstance(value, (np.str_, np.bytes_)) else value
    if value is None or isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (bool, int, float, complex)):
        leaf = narrowed(np.asarray(value))[()]
        # NumPy gives large integers the other of its two 64-bit types, which are equal dtypes.
        return np.uint64(leaf) if isinstance(leaf, np.ulonglong) else leaf
    if isinstance(value, (list, TensorShape)):
        return of_list(list_as_array(value), value)
    if is_array_like(value):
        return as_leaf(np.asarray(value))
    return value


def is_array_like(value: Any) -> bool:
    """Whether a value of another library says how it becomes an array."""
    if isinstance(value, type) or not hasattr(value, "__array__"):
        return False
    return not hasattr(type(value), "__feedline_leaf__")  # a Dataset says that it does not


def _without_class(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of a subclass as one that is sliced and stacked like any other."""
    if isinstance(array, np.ma.MaskedArray):
        raise SpecError(
            f"a masked array must say what its masked numbers are, got {array.dtype} of shape "
            f"{array.shape} with {int(np.ma.getmaskarray(array).sum())} of them masked. Give "
            "array.filled(value), or the mask as an array of its own."
        )
    return np.asarray(array) if isinstance(array, (np.matrix, np.memmap)) else array


def ingest(value: Any) -> Any:
    """Return data given to a source as a leaf: Python numbers become int32 and float32.

    NumPy arrays and scalars keep their dtype, in the byte order of the machine. An integer
    that does not fit int32 makes the whole value int64.
    """
    if isinstance(value, range) and value:
        return narrowed(np.asarray(value))
    if isinstance(value, range):
        value = []
    leaf = as_leaf(value)
    return in_native_order(leaf) if isinstance(leaf, np.ndarray) else leaf


def in_native_order(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array in the byte order of the machine, which NumPy's single numbers have."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def stack_leaves(leaves: list[Any], first: int = 0) -> Any:
    """Return one leaf with ``leaves`` along a new first axis.

    Args:
        leaves: Values that must have the same dtype and shape.
        first: What to add to positions in an error message.
    """
    head = leaves[0]
    form = _form(head)
    for number, leaf in enumerate(leaves):
        if _form(leaf) != form:
            raise MismatchError(first, head, first + number, leaf)
    if head is None:
        return None
    if isinstance(head, (np.ndarray, np.generic)):
        return np.array(leaves, head.dtype) if head.shape == () else np.stack(leaves)
    if isinstance(head, RaggedTensor):
        return stack_rows(leaves, head.plain_splits.dtype)
    if isinstance(head, SparseTensor):
        return SparseTensor.stack(leaves)
    return _object_array(leaves)


class MismatchError(SpecError):
    """Two leaves that were to be stacked differ; the caller knows which elements they are."""

    def __init__(self, first: int, first_leaf: Any, second: int, second_leaf: Any) -> None:
        self.first = first
        self.second = second
        self.texts = (describe_leaf(first_leaf), describe_leaf(second_leaf))
        super().__init__(f"values {first} and {second} differ: {self.texts[0]} and {self.texts[1]}")


def describe_leaf(leaf: Any) -> str:
    """Return a leaf's type in a few characters: ``float32[28,28]``, ``str``.

    Example:
        >>> describe_leaf(np.zeros((2, 3), np.uint8))
        'uint8[2,3]'
    """
    if isinstance(leaf, (np.ndarray, np.generic)):
        dims = ",".join(str(n) for n in leaf.shape)
        kind = "string" if leaf.dtype == object else str(leaf.dtype)
        return f"{kind}[{dims}]"
    if isinstance(leaf, (RaggedTensor, SparseTensor)):
        dims = ",".join("None" if n is None else str(n) for n in leaf.shape)
        return f"{type(leaf).__name__} {leaf.dtype.dtype}[{dims}]"
    return type(leaf).__name__


def _form(leaf: Any) -> Any:
    """Return what leaves must have in common to be stacked."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        return leaf.dtype, leaf.shape
    if isinstance(leaf, RaggedTensor):
        return "ragged", leaf.dtype, leaf.ragged_rank, leaf.plain_flat_values.shape[1:]
    if isinstance(leaf, SparseTensor):
        return "sparse", leaf.dtype, len(leaf.shape)
    if isinstance(leaf, (str, bytes)):
        return "string"
    return "none" if leaf is None else "object"


def _scalar(array: NDArray[Any]) -> Any:
    return array[()] if array.dtype != object else array.item()


def _object_array(leaves: list[Any]) -> NDArray[Any]:
    array = np.empty(len(leaves), object)
    for number, leaf in enumerate(leaves):  # array[:] = leaves would look inside sequences
        array[number] = leaf
    return array


def list_as_array(value: list[Any] | TensorShape) -> Any:
    """Return a list as NumPy makes an array of it, strings as objects."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise SpecError(
            "a list becomes an array and must be rectangular, got rows of different lengths or "
            "kinds. Use feedline.ragged.constant() for ragged rows, a tuple for a structure."
        ) from error
    if array.dtype == np.float64 and _holds_large_integers(array, value):
        if array.min() < 0:
            raise SpecError(
                "a list becomes an array, and its integers must all fit int64 or all fit uint64."
            )
        array = np.asarray(value, np.uint64)
    if array.dtype.kind in "SU":
        # NumPy would pad strings and lose trailing zero bytes: keep the objects.
        array = np.asarray(value, object)
        kinds = {type(item) for item in array.flat}
        if not all(issubclass(kind, (str, bytes)) for kind in kinds):
            names = " and ".join(sorted(kind.__name__ for kind in kinds))
            raise SpecError(
                f"a list becomes an array and must hold values of one kind, got {names}."
            )
    return array


def _holds_large_integers(array: NDArray[Any], value: list[Any] | TensorShape) -> bool:
    """Whether NumPy made floats of integers above and below 2**63, which loses digits."""
    if not array.size or array.max() < 2.0**63:
        return False
    items = np.asarray(value, object).ravel().tolist()
    return all(isinstance(item, (int, np.integer)) for item in items)
