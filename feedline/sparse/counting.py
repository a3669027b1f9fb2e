"""counting: how often each integer occurs, as sparse values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError
from feedline.narrow import array_of_data
from feedline.sparse.places import places_of
from feedline.sparse.tensor import SparseTensor
from feedline.values.tensor import as_plain

__all__ = ["bincount"]


def bincount(
    values: Any,
    weights: Any = None,
    axis: int | None = 0,
    minlength: int | None = None,
    maxlength: int | None = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Return how often each integer occurs: of everything, or in each row.

    Args:
        values: Integers from 0 on: an array, a RaggedTensor or a SparseTensor.
        weights: What to add up instead of ones, a value of the same form.
        axis: 0 to count everything, -1 to count in each row.
        minlength: The length of the result at least.
        maxlength: Integers from it on are left out.
        binary_output: Whether each integer counts once.
        name: Has no effect.

    Example:
        >>> counts = bincount([[1, 1, 2], [0, 3, 3]], axis=-1)
        >>> counts.indices.tolist(), counts.values.tolist()
        ([[0, 1], [0, 2], [1, 0], [1, 3]], [2, 1, 1, 2])
    """
    call = "sparse.bincount()"
    if axis not in (0, -1, None):
        raise BuildError(f"{call}: axis must be 0 or -1, got {axis}.")
    if binary_output and weights is not None:
        raise BuildError(f"{call}: give weights or binary_output, not both.")
    rows, count, flat = _rows_of(values)
    if flat.dtype.kind not in "iu":
        raise BuildTypeError(f"{call}: values must be integers, got {flat.dtype}.")
    if (flat < 0).any():
        raise BuildError(f"{call}: values must not be negative, got {flat.min()}.")
    added = None if weights is None else _rows_of(weights)[2]
    length = int(flat.max(initial=0)) + 1
    if maxlength is not None:
        kept = flat < maxlength
        rows, flat = rows[kept], flat[kept]
        added = None if added is None else added[kept]
        length = min(length, int(maxlength))
    length = max(length, int(minlength or 0))
    if axis != -1:
        rows, count = np.zeros_like(rows), 1
    numbers = rows * max(length, 1) + flat
    places, where, often = np.unique(numbers, return_inverse=True, return_counts=True)
    # As TensorFlow has them.
    dtype = np.int32 if flat.dtype.itemsize <= 4 else np.int64
    counts: NDArray[Any] = (np.ones_like(often) if binary_output else often).astype(dtype)
    if added is not None:
        counts = np.zeros(len(places), added.dtype)
        np.add.at(counts, where, added)
    if axis != -1:
        return SparseTensor(places[:, None], counts, [length])
    return SparseTensor(places_of(places, [count, length]), counts, [count, length])


def _rows_of(values: Any) -> tuple[NDArray[np.int64], int, NDArray[Any]]:
    """Return the row of each number, how many rows there are, and the numbers."""
    if isinstance(values, SparseTensor):
        rows = values.plain_indices[:, 0]
        return rows, int(values.plain_shape[0]), values.plain_values
    if hasattr(values, "parts"):
        levels, flat = values.parts()
        return levels[0].ids.astype(np.int64), levels[0].count, flat
    array = array_of_data(as_plain(values))
    height = len(array) if array.ndim > 1 else 1
    width = array.size // height if height else 0
    return np.repeat(np.arange(height), width), height, array.ravel()
