"""read_rows: rows of one length that lie anywhere in a file."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["read_rows", "read_rows_twin"]


def read_rows_twin(
    file: int, starts: NDArray[np.int64], row_bytes: int, out: NDArray[np.uint8]
) -> int:
    """Read ``row_bytes`` from each of ``starts`` into ``out``, one row after the other.

    Return how many rows are whole: fewer than asked for if the file ends before, or cannot be
    read. ``file`` is the number of an open file.
    """
    if row_bytes < 1 or len(out) != len(starts) * row_bytes:
        raise ValueError("out must have room for a row of every start")
    memory = out.data
    for number, start in enumerate(starts.tolist()):
        row = memory[number * row_bytes : (number + 1) * row_bytes]
        while len(row):
            try:
                count = os.preadv(file, [row], start) if start >= 0 else 0
            except OSError:
                count = 0
            if not count:
                return number
            row, start = row[count:], start + count
    return len(starts)


read_rows = read_rows_twin if native is None else native.read_rows
