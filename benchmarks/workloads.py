"""workloads: the data of the benchmarks, made with NumPy alone so that every peer gets the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BATCH",
    "NUMBERS",
    "NUMBERS_BATCH",
    "PADDED_BATCH",
    "SHUFFLE_BUFFER",
    "WINDOW",
    "WINDOW_BATCH",
    "grey_images",
    "images",
    "rows",
    "series",
    "tokens",
]

BATCH = 256
SHUFFLE_BUFFER = 10_000
WINDOW, WINDOW_BATCH = 30, 32
PADDED_BATCH = 64
NUMBERS, NUMBERS_BATCH = 1_000_000, 128


def rows(count: int = 200_000) -> NDArray[np.float32]:
    """Return ``count`` rows of 64 float32."""
    return np.random.default_rng(0).standard_normal((count, 64), dtype=np.float32)


def series(count: int = 500_000) -> NDArray[np.float32]:
    """Return one long series of float32."""
    return np.random.default_rng(1).standard_normal(count, dtype=np.float32)


def tokens(count: int = 20_000) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the values and row splits of sequences of 5 to 200 tokens."""
    rng = np.random.default_rng(2)
    lengths = rng.integers(5, 201, count)
    splits = np.concatenate([[0], np.cumsum(lengths)])
    return rng.integers(1, 30_000, splits[-1]), splits


def images(count: int = 4_000) -> NDArray[Any]:
    """Return ``count`` images of 28 x 28 float32: 3,136 bytes each."""
    return np.random.default_rng(3).standard_normal((count, 28, 28), dtype=np.float32)


def grey_images(count: int = 20_000) -> NDArray[np.uint8]:
    """Return ``count`` images of 28 x 28 bytes."""
    return np.random.default_rng(4).integers(0, 256, (count, 28, 28), dtype=np.uint8)
