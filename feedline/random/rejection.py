"""rejection: draws that are made again for some numbers until all of them are accepted.

Every number has a part of its row's stream to itself: none depends on how often another was
rejected.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.streams import Streams
from feedline.kernels.box_muller import box_muller_float64

__all__ = ["BLOCKS_PER_NUMBER", "Draws"]

BLOCKS_PER_NUMBER = 256
"""How many blocks of the stream each number has."""

_Doubles = NDArray[np.float64]


class Draws:
    """Normal and uniform numbers of each stream, two to a block, the second one first."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._next = np.zeros(len(streams), np.uint64)
        self._held = np.empty((2, len(streams), 2))
        self._left = np.zeros((2, len(streams)), np.int64)

    def normals(self, index: NDArray[Any]) -> _Doubles:
        """Return the next normal number of some streams."""
        return self._drawn(0, index)

    def uniforms(self, index: NDArray[Any]) -> _Doubles:
        """Return the next uniform number of some streams."""
        return self._drawn(1, index)

    def _drawn(self, kind: int, index: NDArray[Any]) -> _Doubles:
        empty = index[self._left[kind, index] == 0]
        block = self._streams.take(empty).after(self._next[empty])
        if kind:
            self._held[kind, empty] = block.doubles(2)
        else:
            self._held[kind, empty] = box_muller_float64(block.words(4).reshape(-1)).reshape(-1, 2)
        self._next[empty] += np.uint64(1)
        self._left[kind, empty] = 2
        self._left[kind, index] -= 1
        drawn: _Doubles = self._held[kind, index, self._left[kind, index]]
        return drawn
