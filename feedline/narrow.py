"""narrow: Python numbers given as data become int32 and float32, as in TensorFlow.

NumPy arrays and scalars keep their dtype. What a plain Python function returns is not
data in this sense: it follows NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["array_of_data", "holds_numpy", "narrowed"]

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
    return array if holds_numpy(values) else narrowed(array)


def narrowed(array: NDArray[Any]) -> NDArray[Any]:
    """Return float64 as float32, and int64 as int32 if every number fits."""
    if array.dtype == np.float64:
        return array.astype(np.float32)
    if array.dtype == np.int64 and _fits_int32(array):
        return array.astype(np.int32)
    return array


def _fits_int32(array: NDArray[Any]) -> bool:
    return not array.size or bool(array.min() >= _INT32.min and array.max() <= _INT32.max)


def holds_numpy(values: Any) -> bool:
    """Whether a value, or the first one in nested lists, comes from NumPy."""
    while isinstance(values, list | tuple) and values:
        values = values[0]
    return isinstance(values, np.ndarray | np.generic)
