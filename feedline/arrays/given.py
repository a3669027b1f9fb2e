"""given: arguments of array functions, as arrays or symbols."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from feedline.errors import BuildTypeError
from feedline.functions.function_trace import FunctionTrace
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in
from feedline.graph.untraceable import refuse
from feedline.leaf import ingest
from feedline.leaf_spec import TensorSpec
from feedline.narrow import narrowed
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.values.dtype import DType
from feedline.values.tensor import as_plain

__all__ = [
    "arrays_of_one_dtype",
    "axes_of",
    "boxed",
    "dtype_of",
    "given",
    "given_all",
    "given_dtype",
    "pair",
    "scalar",
    "static_ints",
    "varying",
]

_ARRAYS = (np.ndarray, np.generic, Symbol, RaggedTensor, SparseTensor)


def given(value: Any, dtype: Any = None) -> Any:
    """Return an argument as an array, a NumPy scalar, a string or a symbol.

    Args:
        value: Anything; Python numbers become int32 and float32.
        dtype: What Python numbers become instead.
    """
    if isinstance(value, np.ndarray):
        return value if value.ndim else scalar(value)
    if isinstance(value, _ARRAYS):
        return value
    if isinstance(value, (list, tuple)):
        if symbols_in(value):
            return np.stack(given_all(value))
        value = list(value)
    if value is None:
        raise BuildTypeError("an array is needed, got None.")
    if dtype is not None and np.dtype(dtype) != object:
        return scalar(np.asarray(value, dtype))
    return ingest(value)


def given_all(values: Any) -> list[Any]:
    """Return several arguments that must have one dtype; Python numbers take that of arrays."""
    values = list(values)
    known = [dtype for dtype in map(given_dtype, values) if dtype is not None]
    if known or not values:
        dtype = known[0] if known else None
        return [given(value, _fitting(value, dtype)) for value in values]
    if symbols_in(values):
        return [given(value) for value in values]
    arrays = [given(value) for value in values]
    dtypes = {getattr(array, "dtype", None) for array in arrays}
    if len(dtypes) < 2 or None in dtypes or np.dtype(object) in dtypes:
        return arrays
    floats = any(dtype is not None and dtype.kind == "f" for dtype in dtypes)
    common = np.dtype(np.float32) if floats else np.result_type(*dtypes)
    return [array.astype(common) for array in arrays]


def given_dtype(value: Any) -> np.dtype[Any] | None:
    """Return the dtype of a value that has one, None for Python's own."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    dtype: Any = value.dtype if isinstance(value, _ARRAYS) else None
    return dtype.dtype if isinstance(dtype, DType) else dtype


def pair(x: Any, y: Any) -> tuple[Any, Any]:
    """Return two operands. A Python number beside an array stays one, so that it gives way."""
    first, second = given_dtype(x), given_dtype(y)
    if first is None and second is None:
        if isinstance(x, (str, bytes)) or isinstance(y, (str, bytes)):
            return x, y
        a, b = given(x), given(y)
        if getattr(a, "dtype", None) == getattr(b, "dtype", None):
            return a, b
        common = narrowed(np.asarray([np.ravel(x)[0], np.ravel(y)[0]])).dtype
        return given(x, common), given(y, common)
    return _beside(x, second), _beside(y, first)


def arrays_of_one_dtype(x: Any, y: Any) -> tuple[Any, Any]:
    """Return two operands as arrays: a Python number has the dtype of the array beside it.

    Example:
        >>> arrays_of_one_dtype(np.float32([1, 2]), 0.5)[1].dtype
        dtype('float32')
    """
    first, second = pair(x, y)
    in_first = given(first, _fitting(first, given_dtype(second)))
    return in_first, given(second, _fitting(second, given_dtype(first)))


def _beside(value: Any, other: np.dtype[Any] | None) -> Any:
    if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
        return value
    return given(value, _fitting(value, other))


def _fitting(value: Any, dtype: np.dtype[Any] | None) -> np.dtype[Any] | None:
    """Return ``dtype`` if Python numbers can have it without loss of their kind."""
    if dtype is None or given_dtype(value) is not None or dtype == object:
        return None
    found = np.asarray(value).dtype
    order = "biufc"
    fits = found.kind in order and dtype.kind in order
    return dtype if fits and order.index(found.kind) <= max(order.index(dtype.kind), 1) else None


def scalar(value: Any) -> Any:
    """Return an array without axes as a NumPy scalar, or as the string in it."""
    return value[()] if isinstance(value, np.ndarray) and not value.ndim else value


def boxed(value: Any) -> Any:
    """Return a string in an array without axes; anything else as it is.

    NumPy would make an array of fixed width of it, and cut off the zero bytes at its end.
    """
    if not isinstance(value, (str, bytes)):
        return value
    box = np.empty((), object)
    box[()] = as_plain(value)
    return box


def dtype_of(dtype: Any) -> np.dtype[Any]:
    """Return a dtype given under any of its names."""
    return TensorSpec((), dtype).dtype


def static_ints(value: Any) -> tuple[int, ...] | None:
    """Return integers that are known while recording; None if one is not."""
    if isinstance(value, Symbol):
        if not value.is_constant:
            return None
        value = value.read()
    if isinstance(value, (int, np.integer)):
        return (int(value),)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        value = value.astype(np.int64)
    found = [int(item) if isinstance(item, Symbol) and item.is_constant else item for item in value]
    if any(isinstance(item, Symbol) for item in found):
        return None
    if any(isinstance(item, np.floating) for item in found):
        # As TensorFlow casts floats that are tensors, and refuses Python's own.
        found = [int(item) for item in found]
    try:
        return tuple(operator.index(item) for item in np.asarray(found, object).tolist())
    except TypeError as error:
        raise BuildTypeError(f"integers are needed, got {value!r}.") from error


def axes_of(axis: Any) -> Any:
    """Return axes as NumPy wants them: None, an int, or a tuple."""
    if axis is None:
        return None
    if isinstance(axis, (list, tuple)) or np.ndim(axis):
        return tuple(operator.index(one) for one in axis)
    return operator.index(axis)


def varying(fn: Any, args: Sequence[Any], what: str) -> Any:
    """Call a function whose results' lengths depend on values; it returns a list of arrays.

    Inside a ``@function`` their first axis has an unknown length from then on. Elements of
    a dataset are left to plain Python.
    """
    symbols = symbols_in(args)
    if not symbols:
        return fn(*args)
    trace = symbols[0].trace
    if isinstance(trace, FunctionTrace):
        return trace.record_call(fn, args)
    refuse(f"{what} has a length that depends on values")
