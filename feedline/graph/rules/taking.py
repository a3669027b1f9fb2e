"""Numbers picked by place: take, choose, diagonals, triangles."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, aligned, shifted_one
from feedline.graph.rule import batched

__all__ = []


@batched(np.take, fresh=True)
def _take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
    if not isinstance(a, Rows):
        array = np.ravel(a) if axis is None else np.asarray(a)
        place = 0 if axis is None else shifted_one(axis, array.ndim) - 1
        return np.moveaxis(np.take(array, indices.array, place, out, mode), place, 0)
    array = a.flat() if axis is None else a.array
    place = 1 if axis is None else shifted_one(axis, a.ndim)
    if not isinstance(indices, Rows):
        return np.take(array, indices, place, out, mode)
    # The axis goes next to that of the elements, to be indexed together with it.
    found = np.moveaxis(array, place, 1)
    wanted = _within(indices.array, found.shape[1], mode)
    number = np.arange(len(wanted)).reshape(-1, *(1,) * indices.ndim)
    new = range(1, indices.ndim + 1)
    return np.moveaxis(found[number, wanted], new, range(place, place + indices.ndim))


def _within(indices: NDArray[Any], size: int, mode: str) -> NDArray[Any]:
    if mode != "raise":
        indices = indices.astype(np.intp, copy=False)  # as NumPy does first: large ones wrap
    if mode == "wrap":
        return indices % size
    return np.clip(indices, 0, size - 1) if mode == "clip" else indices


@batched(np.take_along_axis, fresh=True)
def _take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    if axis is None:
        array = arr.flat() if isinstance(arr, Rows) else np.ravel(arr)[None]
        rank, axis = 1, 0
    else:
        array = arr.array if isinstance(arr, Rows) else np.asarray(arr)[None]
        rank = array.ndim - 1
    places = indices.array if isinstance(indices, Rows) else np.asarray(indices)[None]
    return np.take_along_axis(array, places, shifted_one(axis, rank))


@batched(np.choose, fresh=True)
def _choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    if isinstance(choices, Rows):
        choices = [Rows(choices.array[:, i]) for i in range(choices.shape[0])]
    picks, *arrays = aligned(a, *choices)
    return np.choose(picks, arrays, out, mode)


@batched(np.diagonal)
def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    axes = shifted_one(axis1, a.ndim), shifted_one(axis2, a.ndim)
    return np.diagonal(a.array, offset, *axes)


@batched(np.linalg.diagonal)
def _linalg_diagonal(x: Any, /, *, offset: int = 0) -> Any:
    return np.linalg.diagonal(x.array, offset=offset)


@batched(np.trace, fresh=True, exact=False)
def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    axes = shifted_one(axis1, a.ndim), shifted_one(axis2, a.ndim)
    return np.trace(a.array, offset, *axes, dtype)


@batched(np.linalg.trace, fresh=True, exact=False)
def _linalg_trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    return np.linalg.trace(x.array, offset=offset, dtype=dtype)


@batched(np.diag)
def _diag(v: Any, k: int = 0) -> Any:
    if v.ndim == 2:
        return np.diagonal(v.array, k, 1, 2)
    if v.ndim != 1:
        raise NotImplementedError
    return _on_diagonal(v.array, operator.index(k))


@batched(np.diagflat, fresh=True)
def _diagflat(v: Any, k: int = 0) -> Any:
    return _on_diagonal(v.flat(), operator.index(k))


def _on_diagonal(values: NDArray[Any], k: int) -> NDArray[Any]:
    count, size = values.shape
    side = size + abs(k)
    made = np.zeros((count, side, side), values.dtype)
    places = np.arange(size)
    made[:, places + max(-k, 0), places + max(k, 0)] = values
    return made


def _triangle(function: Any) -> None:
    @batched(function, fresh=True)
    def run(m: Any, k: int = 0) -> Any:
        if m.ndim < 2:
            raise NotImplementedError
        return function(m.array, k)


_triangle(np.tril)
_triangle(np.triu)


@batched(np.ravel_multi_index, fresh=True)
def _ravel_multi_index(multi_index: Any, dims: Any, **kwargs: Any) -> Any:
    if isinstance(multi_index, Rows):
        multi_index = [Rows(multi_index.array[:, i]) for i in range(multi_index.shape[0])]
    return np.ravel_multi_index(tuple(aligned(*multi_index)), dims, **kwargs)


@batched(np.unravel_index, fresh=True)
def _unravel_index(indices: Any, shape: Any, order: Any = "C") -> Any:
    return np.unravel_index(indices.array, shape, order)
