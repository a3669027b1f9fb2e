"""Buffers: memory for the results of whole blocks that is used again.

Large arrays come from the operating system, page by page, and go back to it when they are
freed: for a function as simple as a cast that takes as long as the work. So their memory is
kept, and handed out again when no array refers to it any more.
"""

from __future__ import annotations

import math
import mmap
import sys
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Buffers", "pages"]

# Smaller ones are cheap to get; larger ones are rare, and too much to keep.
_SMALLEST = 1 << 16
_LARGEST = 1 << 24
# The consumer holds one block while the next is made, and a step in between may hold one.
_MOST = 4


class Buffers:
    """A few pieces of memory, each free as soon as nothing else refers to it.

    Args:
        largest: How many bytes the largest piece may have that is kept.
        most: How many pieces are kept.
        spare: How many of them though they were not used when one was asked for.
    """

    __slots__ = ("_kept", "_largest", "_lock", "_most", "_spare")

    def __init__(self, largest: int = _LARGEST, most: int = _MOST, spare: int = 1) -> None:
        self._largest = largest
        self._most = most
        self._spare = spare
        self._kept: list[NDArray[np.uint8]] = []
        self._lock = threading.Lock()

    def take(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any] | None:
        """Return an array to write into, None if NumPy should make one itself."""
        size = dtype.itemsize
        for length in shape:
            size *= length
        if not _SMALLEST <= size <= self._largest:
            return None
        with self._lock:
            return np.ndarray(shape, dtype, self._free(size))

    def empty(self, shape: Any, dtype: Any = np.uint8) -> NDArray[Any]:
        """Return an array to write into, as np.empty() does."""
        shape = (shape,) if isinstance(shape, int) else shape
        dtype = np.dtype(dtype)
        found = self.take(shape, dtype)
        return np.empty(shape, dtype) if found is None else found

    def gathered(self, array: NDArray[Any], index: NDArray[np.int64]) -> NDArray[Any]:
        """Return the rows of an array at some places, all of which it must have."""
        if array.dtype.hasobject:
            return array.take(index, axis=0)
        out = self.empty((len(index), *array.shape[1:]), array.dtype)
        # Nothing is clipped: but where NumPy might raise, it writes to other memory first.
        return array.take(index, axis=0, out=out, mode="clip")

    def trim(self, most_bytes: int) -> None:
        """Keep no more than so many bytes of memory that is not used."""
        with self._lock:
            kept = self._kept
            for n in reversed(range(len(kept))):
                if sys.getrefcount(kept[n]) == _UNUSED:
                    most_bytes -= kept[n].size
                    if most_bytes < 0:
                        del kept[n]

    def _free(self, size: int) -> NDArray[np.uint8]:
        kept = self._kept
        # Referred to by the list and by the call alone. A view of a view refers to this.
        unused = [n for n in range(len(kept)) if sys.getrefcount(kept[n]) == _UNUSED]
        chosen = next((n for n in unused if kept[n].size >= size), None)
        buffer = np.empty(size, np.uint8) if chosen is None else kept[chosen]
        # Nobody knows of memory that is not used: of what is left a little is kept, if it fits.
        spare = [n for n in unused if n != chosen and kept[n].size >= size][: self._spare]
        for n in reversed(unused):
            if n != chosen and n not in spare:
                del kept[n]
        if chosen is None and len(kept) < self._most:
            kept.append(buffer)
        return buffer


def pages(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array whose memory goes back to the system as soon as it is not used any more.

    A C library keeps more of what is freed, the larger what was freed before. So what is large
    and lives long is better not had from it.
    """
    size = math.prod(shape) * dtype.itemsize
    if size < _LARGEST_OF_MALLOC or not hasattr(mmap, "MAP_ANONYMOUS"):
        return np.empty(shape, dtype)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(memory, dtype, math.prod(shape)).reshape(shape)


_LARGEST_OF_MALLOC = 1 << 20


def _unused() -> int:
    kept = [np.empty(0, np.uint8)]
    return sys.getrefcount(kept[0])


_UNUSED = _unused()
