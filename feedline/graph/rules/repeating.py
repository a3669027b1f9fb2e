"""The same numbers several times or in another place: tiles, repeats, rolls, grids."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, length_of, shifted, shifted_one, stacked
from feedline.graph.rule import batched
from feedline.graph.untraceable import refuse

__all__ = []


@batched(np.tile, fresh=True)
def _tile(a: Any, reps: Any) -> Any:
    counts = tuple(reps) if np.ndim(reps) else (reps,)
    rank = max(a.ndim, len(counts))
    counts = (1,) * (rank - len(counts)) + counts
    return np.tile(a.padded(rank), (1, *counts))


@batched(np.repeat, fresh=True)
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    if isinstance(repeats, Rows):
        refuse("gives np.repeat counts that differ between elements")
    if axis is None:
        return np.repeat(a.flat(), repeats, 1)
    return np.repeat(a.array, repeats, shifted_one(axis, a.ndim))


@batched(np.resize, fresh=True)
def _resize(a: Any, new_shape: Any) -> Any:
    shape = tuple(new_shape) if isinstance(new_shape, (tuple, list)) else (new_shape,)
    flat, size = a.flat(), math.prod(shape)
    if not flat.shape[1] or not size:
        return np.zeros((a.length, *shape), flat.dtype)
    return flat[:, np.arange(size) % flat.shape[1]].reshape(a.length, *shape)


@batched(np.roll, fresh=True)
def _roll(a: Any, shift: Any, axis: Any = None) -> Any:
    if isinstance(shift, Rows):
        return _rolled_each(a, shift, axis)
    if axis is None:
        return np.roll(a.flat(), shift, 1).reshape(a.array.shape)
    return np.roll(a.array, shift, shifted(axis, a.ndim))


def _rolled_each(a: Any, shift: Rows, axis: Any) -> Any:
    """Roll each element by a number of its own."""
    if shift.ndim:
        raise NotImplementedError
    array = stacked(a, shift.length)
    if axis is None:
        flat = Rows(array).flat()
        return _rolled(flat, shift.array, 1).reshape(array.shape)
    return _rolled(array, shift.array, shifted_one(axis, array.ndim - 1))


def _rolled(array: NDArray[Any], shift: NDArray[Any], axis: int) -> NDArray[Any]:
    size = array.shape[axis]
    # Unsigned shifts would wrap around at zero.
    places = (np.arange(size) - shift.astype(np.int64)[:, None]) % max(size, 1)
    shape = [1] * array.ndim
    shape[0], shape[axis] = len(array), size
    return np.take_along_axis(array, places.reshape(shape), axis)


@batched(np.meshgrid)
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    length, rank = length_of(xi), len(xi)
    order = [1, 0, *range(2, rank)] if indexing == "xy" and rank > 1 else list(range(rank))
    grids = []
    for place, x in zip(order, xi, strict=True):
        flat = Rows(stacked(x, length)).flat()
        sizes = [1] * rank
        sizes[place] = flat.shape[1]
        grids.append(flat.reshape(length, *sizes))
    if not sparse:
        shape = np.broadcast_shapes(*(grid.shape for grid in grids))
        grids = [np.broadcast_to(grid, shape) for grid in grids]
    return [grid.copy() for grid in grids] if copy else grids
