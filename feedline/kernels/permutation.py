"""permutation: a random order of n places, computed place by place in O(1) memory.

A Feistel cipher of six rounds over the next power of four, walked along its cycle until
it falls inside the range: every place goes to a different one, and none is stored.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.mix_ids import mix
from feedline.kernels.native import native

__all__ = ["permute", "permute_twin"]

_ROUNDS = 6


def permute_twin(index: NDArray[np.int64], length: int, key: int) -> NDArray[np.int64]:
    """Return where each of ``index`` goes in the order of ``key`` over ``length`` places.

    Example:
        >>> permute(np.arange(8), 8, key=1)
        array([7, 0, 3, 4, 2, 5, 6, 1])
    """
    if len(index) and (index.min() < 0 or index.max() >= length):
        raise IndexError(f"index is out of bounds for length {length}")
    if length <= 1:
        return index.copy()
    half = max(1, ((length - 1).bit_length() + 1) // 2)
    keys = [np.uint64(mix(key, number)) for number in range(_ROUNDS)]
    out = _encrypt(index.astype(np.uint64), half, keys)
    outside = np.flatnonzero(out >= np.uint64(length))
    while len(outside):
        out[outside] = _encrypt(out[outside], half, keys)
        outside = outside[out[outside] >= np.uint64(length)]
    return out.astype(np.int64)


def _encrypt(values: NDArray[np.uint64], half: int, keys: list[np.uint64]) -> NDArray[np.uint64]:
    width, mask = np.uint64(half), np.uint64((1 << half) - 1)
    left, right = values >> width, values & mask
    for key in keys:
        word = (right + key) * np.uint64(0x9E3779B97F4A7C15)
        word = (word ^ (word >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
        left, right = right, left ^ ((word >> np.uint64(29)) & mask)
    return (left << width) | right


permute = permute_twin if native is None else native.permute
