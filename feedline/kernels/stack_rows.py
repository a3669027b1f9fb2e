"""stack_rows: many small arrays as the rows of one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["stack_rows", "stack_rows_twin"]


def stack_rows_twin(arrays: list[NDArray[Any]]) -> NDArray[Any] | None:
    """Return one array ``(n, *shape)``, or None if the arrays differ in dtype or shape.

    There must be at least one.

    Example:
        >>> stack_rows([np.array([1, 2]), np.array([3, 4])])
        array([[1, 2],
               [3, 4]])
    """
    dtype, shape = arrays[0].dtype, arrays[0].shape
    if len({array.dtype for array in arrays}) > 1 or len({array.shape for array in arrays}) > 1:
        return None
    if not shape:
        return np.array(arrays, dtype)
    # With its dtype, or NumPy would change the byte order to the machine's.
    return np.concatenate(arrays, dtype=dtype).reshape(len(arrays), *shape)


def _stack_rows(arrays: list[NDArray[Any]]) -> NDArray[Any] | None:
    head = arrays[0]
    if head.ndim and head.nbytes and not head.dtype.hasobject:
        out = np.empty((len(arrays), *head.shape), head.dtype)
        if native.stack_rows(arrays, out.reshape(-1).view(np.uint8)):
            return out
    return stack_rows_twin(arrays)


stack_rows = stack_rows_twin if native is None else _stack_rows
