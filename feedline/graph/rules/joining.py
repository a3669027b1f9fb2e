"""Several arrays into one, and one into several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, length_of, shifted_one, stacked
from feedline.graph.rule import batched

__all__ = []

Array = NDArray[Any]


def _parts(arrays: Any) -> list[Array]:
    """Return what is joined, each along a first axis; an array's own first axis lists parts."""
    if isinstance(arrays, Rows):
        return [arrays.array[:, i] for i in range(arrays.shape[0])]
    length = length_of(arrays)
    return [stacked(array, length) for array in arrays]


def _joined(parts: list[Array], axis: int, **kwargs: Any) -> Array:
    rank = parts[0].ndim - 1
    return np.concatenate(parts, shifted_one(axis, rank), **kwargs)


@batched(np.concatenate, fresh=True)
def _concatenate(arrays: Any, /, axis: Any = 0, **kwargs: Any) -> Any:
    parts = _parts(arrays)
    if axis is None:
        return _joined([Rows(part).flat() for part in parts], 0, **kwargs)
    return _joined(parts, axis, **kwargs)


@batched(np.stack, fresh=True)
def _stack(arrays: Any, axis: int = 0, **kwargs: Any) -> Any:
    parts = _parts(arrays)
    return np.stack(parts, shifted_one(axis, parts[0].ndim), **kwargs)


def _after(change: Callable[[Array], Array], parts: list[Array]) -> list[Array]:
    """Return the parts in the shape that ``change`` gives one element."""
    return [part.reshape(len(part), *change(np.empty(part.shape[1:])).shape) for part in parts]


@batched(np.vstack, fresh=True)
def _vstack(tup: Any, **kwargs: Any) -> Any:
    return _joined(_after(np.atleast_2d, _parts(tup)), 0, **kwargs)


@batched(np.hstack, fresh=True)
def _hstack(tup: Any, **kwargs: Any) -> Any:
    parts = _after(np.atleast_1d, _parts(tup))
    return _joined(parts, 0 if parts[0].ndim == 2 else 1, **kwargs)


@batched(np.dstack, fresh=True)
def _dstack(tup: Any) -> Any:
    return _joined(_after(np.atleast_3d, _parts(tup)), 2)


@batched(np.column_stack, fresh=True)
def _column_stack(tup: Any) -> Any:
    return _joined(_after(_as_columns, _parts(tup)), 1)


def _as_columns(array: Array) -> Array:
    return np.atleast_2d(array).T if array.ndim < 2 else array


@batched(np.append, fresh=True)
def _append(arr: Any, values: Any, axis: Any = None) -> Any:
    parts = _parts((arr, values))
    if axis is None:
        return _joined([Rows(part).flat() for part in parts], 0)
    return _joined(parts, axis)


@batched(np.block, fresh=True)
def _block(arrays: Any) -> Any:
    depth, rank = _depths(arrays)
    return _nested(arrays, depth, max(depth, rank), length_of(arrays))


def _depths(arrays: Any) -> tuple[int, int]:
    if not isinstance(arrays, list):
        return 0, arrays.ndim if isinstance(arrays, Rows) else np.ndim(arrays)
    found = [_depths(array) for array in arrays]
    return max(depth for depth, _ in found) + 1, max(rank for _, rank in found)


def _nested(arrays: Any, depth: int, rank: int, length: int) -> Array:
    if not isinstance(arrays, list):
        return Rows(stacked(arrays, length)).padded(rank)
    parts = [_nested(array, depth - 1, rank, length) for array in arrays]
    return np.concatenate(parts, axis=-depth)


# ---- inserting and deleting -------------------------------------------------------


@batched(np.insert, fresh=True)
def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    if isinstance(obj, Rows):
        raise NotImplementedError
    length = length_of((arr, values))
    array = stacked(arr, length)
    if axis is None:
        array, place = Rows(array).flat(), 1
    else:
        place = shifted_one(axis, array.ndim - 1)
    put = Rows(stacked(values, length)).padded(array.ndim - 1)
    if isinstance(obj, slice) or np.ndim(obj):
        return np.insert(array, obj, put, place)
    # For a single place NumPy takes the first axis of the values for the one inserted into.
    return np.insert(array, [obj], np.moveaxis(put, 1, place), place)


@batched(np.delete, fresh=True)
def _delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    if isinstance(obj, Rows):
        raise NotImplementedError
    if axis is None:
        return np.delete(arr.flat(), obj, 1)
    return np.delete(arr.array, obj, shifted_one(axis, arr.ndim))


# ---- splitting ----------------------------------------------------------------------


def _split(function: Any) -> None:
    @batched(function)
    def run(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
        return function(ary.array, indices_or_sections, shifted_one(axis, ary.ndim))


_split(np.split)
_split(np.array_split)


def _split_along(function: Any, axis: int) -> None:
    @batched(function)
    def run(ary: Any, indices_or_sections: Any) -> Any:
        along = min(axis, ary.ndim - 1)  # hsplit() takes the only axis of a vector
        return np.split(ary.array, indices_or_sections, shifted_one(along, ary.ndim))


_split_along(np.vsplit, 0)
_split_along(np.hsplit, 1)
_split_along(np.dsplit, 2)

if hasattr(np, "unstack"):

    @batched(np.unstack)
    def _unstack(x: Any, /, *, axis: int = 0) -> Any:
        return np.unstack(x.array, axis=shifted_one(axis, x.ndim))
