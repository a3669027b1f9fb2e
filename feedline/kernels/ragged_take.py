"""ragged_take: gather values of different lengths that lie one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.byte_rows import Empty, byte_rows, from_byte_rows
from feedline.kernels.native import native

__all__ = ["ragged_take", "ragged_take_twin"]


def ragged_take_twin(
    values: NDArray[Any],
    splits: NDArray[np.int64],
    index: NDArray[np.int64],
    empty: Empty | None = None,  # noqa: ARG001
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the values and splits of a gathered copy.

    Value ``i`` is ``values[splits[i]:splits[i + 1]]``. ``empty`` returns memory for so many
    bytes, as np.empty() does; the twin has NumPy do that.

    Example:
        >>> words, splits = np.frombuffer(b"onetwothree", np.uint8), np.array([0, 3, 6, 11])
        >>> gathered, splits = ragged_take(words, splits, np.array([2, 0, 0]))
        >>> gathered.tobytes(), splits.tolist()
        (b'threeoneone', [0, 5, 8, 11])
    """
    if len(splits) == 0:
        raise ValueError("splits must hold at least one number")
    if len(index) and (index.min() < 0 or index.max() >= len(splits) - 1):
        raise IndexError(f"index is out of bounds for length {len(splits) - 1}")
    starts, stops = splits[:-1][index], splits[1:][index]
    if np.any((starts < 0) | (stops < starts) | (stops > len(values))):
        raise ValueError("splits must rise from 0 to at most the number of values")
    lengths = stops - starts
    out_splits = np.zeros(len(index) + 1, np.int64)
    np.cumsum(lengths, out=out_splits[1:])
    flat = np.arange(out_splits[-1]) + np.repeat(starts - out_splits[:-1], lengths)
    return values.take(flat, axis=0), out_splits


def _ragged_take(
    values: NDArray[Any],
    splits: NDArray[np.int64],
    index: NDArray[np.int64],
    empty: Empty | None = None,
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    rows = byte_rows(values)
    if rows is None:
        return ragged_take_twin(values, splits, index)
    data, out_splits = native.ragged_take(*rows, splits, index, empty)
    return from_byte_rows(data, values, -1), out_splits


ragged_take = ragged_take_twin if native is None else _ragged_take
