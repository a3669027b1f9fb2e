"""byte_rows: an array of any dtype as bytes, for kernels that only copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Empty", "byte_rows", "from_byte_rows"]

# Returns memory to write into, of a shape and a dtype, as np.empty() does.
Empty = Callable[[Any, Any], NDArray[Any]]


def byte_rows(array: NDArray[Any]) -> tuple[NDArray[np.uint8], int] | None:
    """Return the bytes of an array and how many make a row, or None if they cannot be copied so.

    That is where the array holds references, is not contiguous, or has rows of no bytes.
    """
    if array.dtype.hasobject or not array.flags.c_contiguous:
        return None
    row_bytes = array.dtype.itemsize
    for length in array.shape[1:]:
        row_bytes *= length
    return (array.reshape(-1).view(np.uint8), row_bytes) if row_bytes else None


def from_byte_rows(data: NDArray[np.uint8], like: NDArray[Any], *shape: int) -> NDArray[Any]:
    """Return bytes as an array ``(*shape, *inner)``, with dtype and inner shape as in ``like``."""
    return data.view(like.dtype).reshape(*shape, *like.shape[1:])
