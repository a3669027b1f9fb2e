"""philox: the random stream behind shuffles, equal to TensorFlow's for the same seeds.

Philox4x32-10: block ``i`` of the stream is a function of (seed, seed2, i) alone and gives
four 32-bit numbers, so any part of the stream can be computed without what came before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["philox_rounds", "philox_stream", "philox_stream_twin"]

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (np.uint64(0x9E3779B9), np.uint64(0xBB67AE85))
_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)

_Word = NDArray[np.uint64] | np.uint64
_Words = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]


def philox_rounds(counter: _Words, key: tuple[_Word, _Word]) -> _Words:
    """Return the four numbers of each counter under its key; all are 32 bits in uint64."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c1, c2, c3 = (
            (p1 >> _SHIFT) ^ c1 ^ k0,
            p1 & _LOW,
            (p0 >> _SHIFT) ^ c3 ^ k1,
            p0 & _LOW,
        )
        k0, k1 = (k0 + _WEYL[0]) & _LOW, (k1 + _WEYL[1]) & _LOW
    return c0, c1, c2, c3


def philox_stream_twin(seed: int, seed2: int, start: int, count: int) -> NDArray[np.uint32]:
    """Return numbers ``start`` to ``start + count`` of the stream of (seed, seed2).

    Example:
        >>> philox_stream(seed=1, seed2=2, start=1, count=3)
        array([2364392915, 1057429302,  168492509], dtype=uint32)
    """
    if start < 0 or count < 0 or start + count >= 1 << 63:
        raise ValueError("start and count must be at least 0, and their sum below 2**63")
    first, last = start // 4, -(-(start + count) // 4)
    block = np.arange(first, last, dtype=np.uint64)
    low, high = np.uint64(seed2 & 0xFFFFFFFF), np.uint64((seed2 >> 32) & 0xFFFFFFFF)
    counter = (block & _LOW, block >> _SHIFT, np.full_like(block, low), np.full_like(block, high))
    key = (np.uint64(seed & 0xFFFFFFFF), np.uint64((seed >> 32) & 0xFFFFFFFF))
    numbers = np.stack(philox_rounds(counter, key), axis=1).astype(np.uint32).reshape(-1)
    return numbers[start - 4 * first :][:count]


philox_stream = philox_stream_twin if native is None else native.philox_stream
