"""pad_rows: values of different lengths side by side in one array, the rest filled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.byte_rows import byte_rows, from_byte_rows
from feedline.kernels.native import native

__all__ = ["pad_rows", "pad_rows_twin"]


def pad_rows_twin(
    values: NDArray[Any], splits: NDArray[np.int64], out_len: int, fill: Any
) -> NDArray[Any]:
    """Return an array ``(n, out_len, *inner)`` of the values between ``splits``.

    ``fill`` is one value of the dtype. No value may be longer than ``out_len``.

    Example:
        >>> pad_rows(np.array([1, 2, 3, 4]), np.array([0, 1, 4]), 4, -1)
        array([[ 1, -1, -1, -1],
               [ 2,  3,  4, -1]])
    """
    if len(splits) == 0:
        raise ValueError("splits must hold at least one number")
    if out_len < 0:
        raise ValueError(f"out_len must be at least 0, got {out_len}")
    lengths = np.diff(splits)
    if splits[0] < 0 or splits[-1] > len(values) or np.any(lengths < 0):
        raise ValueError("splits must rise from 0 to at most the number of values")
    if np.any(lengths > out_len):
        raise ValueError("a value is longer than out_len")
    fill = np.asarray(fill, values.dtype)
    out = np.full((len(lengths), out_len, *values.shape[1:]), fill, values.dtype)
    out[np.arange(out_len) < lengths[:, None]] = values[splits[0] : splits[-1]]
    return out


def _pad_rows(
    values: NDArray[Any], splits: NDArray[np.int64], out_len: int, fill: Any
) -> NDArray[Any]:
    rows = byte_rows(values)
    if rows is None or out_len < 0:
        return pad_rows_twin(values, splits, out_len, fill)
    row = np.full(values.shape[1:], np.asarray(fill, values.dtype), values.dtype)
    data = native.pad_rows(rows[0], row.reshape(-1).view(np.uint8), splits, out_len)
    return from_byte_rows(data, values, len(splits) - 1, out_len)


pad_rows = pad_rows_twin if native is None else _pad_rows
