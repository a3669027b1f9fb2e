"""Places: memory of batches that results are written to where they are computed.

Whoever makes batches knows where each element will lie before it is computed, and offers these
places to those that compute it, in any thread. Who takes none loses nothing: results that are
not in their place are copied there.

Offered   for one run of elements, in the thread that works on it.
Taken     at most once for each array of a run: the second of the same kind gets another place.
Let go    when the batch is made. Its memory is used again once nobody refers to it.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.buffers import Buffers

__all__ = ["Places", "is_at", "is_placed", "place_for"]

# Smaller batches are copied as fast as they are placed.
_SMALLEST = 1 << 20

Kind = tuple[tuple[int, ...], np.dtype[Any]]


class Places:
    """The places of the elements of batches.

    Args:
        size: How many elements a batch has.
        buffers: Memory that is used again.
    """

    def __init__(self, size: int, buffers: Buffers) -> None:
        self.size = size
        self._buffers = buffers
        self._lock = threading.Lock()
        # By number of the batch, and of the array among those of its kind.
        self._wholes: dict[int, dict[tuple[Kind, int], NDArray[Any]]] = {}

    def run_length(self, first: int, length: int) -> int:
        """Return how many elements a run may have without crossing from batch to batch."""
        return min(length, self.size - first % self.size) if length < self.size else length

    @contextmanager
    def offered(self, first: int, length: int) -> Iterator[None]:
        """Offer the places of a run of elements to what this thread calls."""
        before = getattr(_HERE, "offer", None)
        _HERE.offer = _Offer(self, first, length)
        try:
            yield
        finally:
            _HERE.offer = before

    def whole(self, batch: int, kind: Kind, number: int) -> NDArray[Any]:
        """Return the memory of an array of a batch."""
        with self._lock:
            wholes = self._wholes.setdefault(batch, {})
            found = wholes.get((kind, number))
            if found is None:
                shape, dtype = (self.size, *kind[0]), kind[1]
                found = wholes[kind, number] = self._buffers.empty(shape, dtype)
            return found

    def whole_of(self, batch: int, array: NDArray[Any]) -> NDArray[Any] | None:
        """Return the memory of which an array is the beginning."""
        with self._lock:
            wholes = tuple(self._wholes.get(batch, {}).values())
        return next((whole for whole in wholes if is_at(array, whole)), None)

    def let_go(self, batch: int) -> None:
        """Forget a batch that is made, and those before it."""
        with self._lock:
            for number in [number for number in self._wholes if number <= batch]:
                del self._wholes[number]


class _Offer:
    """The places of one run."""

    def __init__(self, places: Places, first: int, length: int) -> None:
        self._places = places
        self._batch, self._row = divmod(first, places.size)
        self._length = length
        self._taken: dict[Kind, int] = {}
        self.given: list[NDArray[Any]] = []

    def take(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any] | None:
        row, length, size = self._row, self._length, self._places.size
        kind = shape[1:], dtype
        if shape[0] != length or row + length > size:
            return None
        if size * int(np.prod(shape[1:])) * dtype.itemsize < _SMALLEST:
            return None
        number = self._taken[kind] = self._taken.get(kind, -1) + 1
        whole = self._places.whole(self._batch, kind, number)
        place = whole[row : row + length]
        self.given.append(place)
        return place


def place_for(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any] | None:
    """Return where an array of results may be written, None if nobody has a place for it."""
    offer: _Offer | None = getattr(_HERE, "offer", None)
    return None if offer is None else offer.take(shape, dtype)


def is_placed(array: NDArray[Any]) -> bool:
    """Whether an array was written to one of the places that are offered to this thread."""
    offer: _Offer | None = getattr(_HERE, "offer", None)
    return offer is not None and any(is_at(array, place) for place in offer.given)


def is_at(array: NDArray[Any], place: NDArray[Any]) -> bool:
    """Whether an array lies at the beginning of a place for arrays of its kind."""
    return (
        array.dtype == place.dtype
        and array.shape[1:] == place.shape[1:]
        and array.flags.c_contiguous
        and array.ctypes.data == place.ctypes.data
    )


_HERE = threading.local()
