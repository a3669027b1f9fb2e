"""narrow: Python numbers given as data or returned become int32 and float32, as in TensorFlow.

NumPy arrays and single numbers keep their dtype, and Python numbers in a list with them take it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["array_of_data", "dtypes_in", "narrowed", "of_list", "takes_numbers"]

_INT32 = np.iinfo(np.int32)


def array_of_data(values: Any, dtype: Any = None) -> NDArray[Any]:
    """Return data given as an array or as a list.

    Example:
        >>> array_of_data([1, 2]).dtype, array_of_data([1, 2**40]).dtype
        (dtype('int32'), dtype('int64'))
    """
    if dtype is not None:
        return np.asarray(values, object if np.dtype(dtype).kind in "SUO" else dtype)
    array = np.asarray(values)
    if array.dtype.kind in "SU":
        # From the values themselves: NumPy pads strings and loses trailing zero bytes.
        return np.asarray(values, object)
    return of_list(array, values)


def narrowed(array: NDArray[Any]) -> NDArray[Any]:
    """Return float64 as float32, and int64 as int32 if every number fits."""
    if array.dtype == np.float64:
        with np.errstate(over="ignore", under="ignore"):  # infinity or zero, as in TensorFlow
            return array.astype(np.float32)
    if array.dtype == np.int64 and _fits_int32(array):
        return array.astype(np.int32)
    return array


def _fits_int32(array: NDArray[Any]) -> bool:
    return not array.size or bool(array.min() >= _INT32.min and array.max() <= _INT32.max)


def of_list(array: NDArray[Any], values: Any) -> NDArray[Any]:
    """Return what NumPy made of a value, perhaps a list, with the dtype it has in TensorFlow."""
    dtypes = set(dtypes_in(values))
    if not dtypes:
        return narrowed(array)
    if len(dtypes) > 1 or array.dtype in dtypes:
        return array
    dtype = dtypes.pop()
    return array.astype(dtype) if takes_numbers(dtype, array) else array


def takes_numbers(dtype: np.dtype[Any], array: NDArray[Any]) -> bool:
    """Whether numbers in a list take the dtype of the only one in it that has one."""
    if dtype.kind == "f":
        return array.dtype.kind in "iuf"
    if dtype.kind not in "iu" or array.dtype.kind not in "iu":
        return False
    return np.array_equal(array.astype(dtype), array)


def dtypes_in(values: Any) -> Iterator[np.dtype[Any]]:
    """Yield the dtype of every value in nested lists that has one."""
    if not isinstance(values, list | tuple):
        if hasattr(values, "dtype"):
            yield np.dtype(values.dtype)
    elif not set(map(type, values)) <= _PYTHON:
        for item in values:
            yield from dtypes_in(item)


_PYTHON = {bool, int, float, complex, str, bytes}
