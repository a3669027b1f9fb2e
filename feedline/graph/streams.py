"""Streams: one stream of random bits for each element of a block.

What a row gives depends on its own key and counter alone, never on the other rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.philox_rows import philox_rows

__all__ = ["Keys", "Streams", "seeded", "streams_of"]

Keys = NDArray[np.uint64]

# With this key TensorFlow scrambles the two seeds of a stateless operation.
_SCRAMBLE = np.uint64(0x02461E293EC8F720)
_SHIFT = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Streams:
    """Philox streams: their keys, and the counters (low and high half) they begin at."""

    keys: Keys
    low: Keys
    high: Keys

    def __len__(self) -> int:
        return len(self.keys)

    def words(self, count: int) -> NDArray[np.uint32]:
        """Return the first ``count`` numbers of each stream."""
        return philox_rows(self.keys, count, self.low, self.high)

    def doubles(self, count: int) -> NDArray[np.float64]:
        """Return ``count`` numbers in [0, 1) of each stream, 52 bits out of two words each."""
        words = self.words(2 * count)
        high = words[:, 0::2].astype(np.uint64) & np.uint64(0xFFFFF)
        bits = (high << _SHIFT) | words[:, 1::2]
        return bits.astype(np.float64) * 2.0**-52

    def longs(self, count: int) -> NDArray[np.uint64]:
        """Return ``count`` 64-bit numbers of each stream."""
        words = self.words(2 * count)
        return words[:, 0::2] | (words[:, 1::2].astype(np.uint64) << _SHIFT)

    def take(self, index: NDArray[Any]) -> Streams:
        """Return some of the streams."""
        return Streams(self.keys[index], self.low[index], self.high[index])

    def after(self, blocks: Any) -> Streams:
        """Return the streams without their first blocks of four numbers."""
        low = self.low + np.asarray(blocks, np.uint64)
        return Streams(self.keys, low, self.high + (low < self.low))

    def spread(self, count: int, blocks: int) -> Streams:
        """Return ``count`` streams for each, every one beginning ``blocks`` after the last."""
        starts = np.arange(count, dtype=np.uint64) * np.uint64(blocks)
        repeated = [np.repeat(words, count) for words in (self.keys, self.low, self.high)]
        return Streams(*repeated).after(np.tile(starts, len(self)))


def streams_of(source: Keys | Streams) -> Streams:
    """Return streams as they are, and the whole stream of each key."""
    if isinstance(source, Streams):
        return source
    zeros = np.zeros(len(source), np.uint64)
    return Streams(source, zeros, zeros)


def seeded(seeds: NDArray[np.int64]) -> Streams:
    """Return the streams of TensorFlow's stateless operations for pairs of seeds."""
    words = np.ascontiguousarray(seeds).view(np.uint64)
    keys = np.full(len(words), _SCRAMBLE)
    made = Streams(keys, words[:, 0], words[:, 1]).longs(2)
    return Streams(
        np.ascontiguousarray(made[:, 0]),
        np.zeros(len(made), np.uint64),
        np.ascontiguousarray(made[:, 1]),
    )
