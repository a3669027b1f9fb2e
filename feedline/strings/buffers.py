"""buffers: parts of byte strings that lie in one buffer, without an object for each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes

__all__ = ["cut"]


def cut(column: Bytes, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> Bytes:
    """Return the parts of a column's buffer from ``starts`` to ``stops``, in that order."""
    lengths = stops - starts
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    # The places of all bytes that stay: each part counts on from its start.
    places = np.repeat(starts - offsets[:-1], lengths) + np.arange(offsets[-1])
    return Bytes(column.data[places], offsets)
