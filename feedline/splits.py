"""splits: rows of different lengths, one after the other in an array, and where each begins."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.byte_rows import Empty

__all__ = ["cut_rows", "joined_rows"]


def cut_rows(values: NDArray[Any], splits: NDArray[np.int64]) -> list[Any]:
    """Return the rows, which are views of the values."""
    return [values[a:b] for a, b in pairwise(splits.tolist())]


def joined_rows(
    parts: list[tuple[NDArray[Any], NDArray[np.int64]]], empty: Empty
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the values and splits of all parts as one, in memory that ``empty`` gives."""
    used = [values[splits[0] : splits[-1]] for values, splits in parts]
    lengths = np.concatenate([np.diff(splits) for _, splits in parts])
    like = used[0]
    joined = empty((sum(map(len, used)), *like.shape[1:]), like.dtype)
    np.concatenate(used, out=joined)
    return joined, np.concatenate([[0], np.cumsum(lengths)])
