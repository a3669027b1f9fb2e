"""mix_ids: 64-bit hashes of integers, one at a time or for a whole block of ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["mix", "mix_ids", "mix_ids_twin"]

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MULTIPLIERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def mix(*words: int) -> int:
    """Return a 64-bit hash of some integers; order matters."""
    state = 0
    for word in words:
        state = (state + _GOLDEN + (word & _MASK)) & _MASK
        state = ((state ^ (state >> 30)) * _MULTIPLIERS[0]) & _MASK
        state = ((state ^ (state >> 27)) * _MULTIPLIERS[1]) & _MASK
        state ^= state >> 31
    return state


def mix_ids_twin(ids: NDArray[np.uint64], word: int) -> NDArray[np.uint64]:
    """Return ``ids`` changed by ``word``: the ids of elements made anew from old ones."""
    mixed: NDArray[np.uint64] = ids ^ np.uint64(mix(word))
    mixed += np.uint64(_GOLDEN)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(_MULTIPLIERS[0])
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(_MULTIPLIERS[1])
    mixed ^= mixed >> np.uint64(31)
    return mixed


mix_ids = mix_ids_twin if native is None else native.mix_ids
