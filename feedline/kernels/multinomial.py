"""multinomial: draws by weight, equal to TensorFlow's stateless draws for the same seeds.

Draw ``i`` takes two numbers of a Philox stream as the seed of a draw of its own, as
``sample_from_datasets`` does: any draw can be computed without those before it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.philox import philox_rounds, philox_stream

__all__ = ["pick", "seeded_uniforms"]

# With this key TensorFlow scrambles the two seeds of a stateless operation.
_SCRAMBLE = (np.uint64(0x3EC8F720), np.uint64(0x02461E29))


def seeded_uniforms(seed: int, seed2: int, start: int, count: int) -> NDArray[np.float64]:
    """Return draws ``start`` to ``start + count``: numbers in [0, 1).

    Example:
        >>> seeded_uniforms(87654321, 3, 0, 2).round(4).tolist()
        [0.526, 0.6119]
    """
    pairs = philox_stream(seed, seed2, 2 * start, 2 * count).astype(np.uint64).reshape(count, 2)
    zero = np.zeros(count, np.uint64)
    key0, key1, high, low = philox_rounds((pairs[:, 0], zero, pairs[:, 1], zero), _SCRAMBLE)
    first, second, _, _ = philox_rounds((zero, zero, high, low), (key0, key1))
    bits = ((first & np.uint64(0xFFFFF)) << np.uint64(32)) | second
    return bits.astype(np.float64) * 2.0**-52


def pick(weights: NDArray[Any], uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a number of a class for each of ``uniforms``, drawn by weight.

    Args:
        weights: One row for all draws, or one row per draw. A weight that is not positive
            is never drawn; a row without any other gives the number of classes.
        uniforms: Numbers in [0, 1).

    Example:
        >>> pick(np.array([0.5, 0.0, 0.5]), np.array([0.1, 0.4, 0.6])).tolist()
        [0, 0, 2]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # Through logarithms in the weights' own precision, to round as TensorFlow does.
        logits = np.log(weights)
        finite = np.isfinite(logits)
        logits = np.where(finite, logits, -np.inf).astype(np.float64)
        scaled = np.where(finite, np.exp(logits - logits.max(axis=-1, keepdims=True)), 0.0)
    sums = np.cumsum(scaled, axis=-1)
    wanted = uniforms * sums[..., -1]
    picked: NDArray[np.int64]
    if weights.ndim == 1:
        picked = np.searchsorted(sums, wanted, side="right").astype(np.int64, copy=False)
    else:
        picked = (sums <= wanted[:, None]).sum(axis=1, dtype=np.int64)
    return picked
