"""text_rows: the strings of one buffer as objects of their own."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = [
    "bytes_rows",
    "bytes_rows_twin",
    "is_utf8",
    "is_utf8_twin",
    "text_rows",
    "text_rows_twin",
]


def bytes_rows_twin(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> list[bytes]:
    """Return the strings that begin at ``offsets``, the last of which is where the last one ends.

    Example:
        >>> bytes_rows(np.frombuffer(b"onetwo", np.uint8), np.array([0, 3, 6]))
        [b'one', b'two']
    """
    bounds = offsets.tolist()
    if not bounds:
        raise ValueError("offsets must hold at least one number")
    if bounds[0] < 0 or bounds[-1] > len(data) or sorted(bounds) != bounds:
        raise ValueError("offsets must rise from 0 to at most the length of the data")
    first = bounds[0]
    buffer = data[first : bounds[-1]].tobytes()
    return [buffer[a - first : b - first] for a, b in pairwise(bounds)]


def text_rows_twin(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> list[str]:
    """Return the same as text, which must be UTF-8.

    Example:
        >>> text_rows(np.frombuffer(b"onetwo", np.uint8), np.array([0, 3, 6]))
        ['one', 'two']
    """
    return [row.decode() for row in bytes_rows_twin(data, offsets)]


def is_utf8_twin(data: NDArray[np.uint8]) -> bool:
    r"""Whether bytes are text in UTF-8.

    Example:
        >>> is_utf8(np.frombuffer("né".encode(), np.uint8)), is_utf8(np.array([255], np.uint8))
        (True, False)
    """
    try:
        data.tobytes().decode()
    except UnicodeDecodeError:
        return False
    return True


bytes_rows = bytes_rows_twin if native is None else native.bytes_rows
text_rows = text_rows_twin if native is None else native.text_rows
is_utf8 = is_utf8_twin if native is None else native.is_utf8
