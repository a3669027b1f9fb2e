"""places: the places of sparse values as single numbers, by which they are sorted and matched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.sparse.tensor import SparseTensor

__all__ = ["in_order", "numbers_of", "places_of"]


def numbers_of(indices: NDArray[np.int64], shape: Sequence[int]) -> NDArray[np.int64]:
    """Return the number of each place, counted row by row."""
    numbers = np.zeros(len(indices), np.int64)
    for axis, length in enumerate(shape):
        numbers = numbers * length + indices[:, axis]
    return numbers


def places_of(numbers: NDArray[np.int64], shape: Sequence[int]) -> NDArray[np.int64]:
    """Return the places that have some numbers."""
    columns = []
    for length in reversed(shape):
        columns.append(numbers % max(length, 1))
        numbers = numbers // max(length, 1)
    return np.stack(columns[::-1], axis=1) if columns else np.zeros((len(numbers), 0), np.int64)


def in_order(indices: NDArray[np.int64], values: NDArray[Any], shape: Any) -> SparseTensor:
    """Return a sparse value with its values in the order of their places."""
    order = np.lexsort(indices.T[::-1]) if indices.shape[1] else np.arange(len(indices))
    return SparseTensor(indices[order], values[order], shape)
