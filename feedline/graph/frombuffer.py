"""frombuffer: ``np.frombuffer`` of byte strings, for a whole column at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Ragged
from feedline.graph.leaf_operation import leaf_operation
from feedline.spec import TensorSpec

__all__ = ["frombuffer"]


def _spec(buffer: Any, dtype: Any, count: int, offset: int) -> TensorSpec:  # noqa: ARG001
    return TensorSpec((None if count < 0 else count,), np.dtype(dtype))


def _columns(buffer: Column, dtype: Any, count: int, offset: int) -> list[Column]:
    """View the bytes of all strings as numbers: they lie one after the other."""
    size = np.dtype(dtype).itemsize
    if count >= 0 or offset:
        raise NotImplementedError
    if not isinstance(buffer, Bytes):
        texts = buffer.rows()
        offsets = np.cumsum([0, *map(len, texts)])
        buffer = Bytes(np.frombuffer(b"".join(texts), np.uint8), offsets)
    first, last = int(buffer.offsets[0]), int(buffer.offsets[-1])
    if (np.diff(buffer.offsets) % size).any():
        raise ValueError("buffer size must be a multiple of element size")
    values: NDArray[Any] = buffer.data[first:last].copy().view(dtype)
    return [Ragged(values, (buffer.offsets - first) // size)]


@leaf_operation(_spec, _columns)
def frombuffer(buffer: Any, dtype: Any, count: int, offset: int) -> Any:
    """Return the numbers whose bytes a string is."""
    return np.frombuffer(buffer, dtype, count, offset)
