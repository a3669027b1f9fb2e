"""The same numbers in another shape: reshaping, and moving, adding and dropping axes."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, length_of, shifted, shifted_one, stacked
from feedline.graph.rule import batched

__all__ = []


@batched(np.reshape)
def _reshape(a: Any, /, shape: Any = None, order: Any = "C", **kwargs: Any) -> Any:
    wanted = _sizes(shape, a.shape)
    if order == "F":
        # Fortran's order is C's order of the axes turned around.
        turned = _turned(a.array).reshape(a.length, *wanted[::-1], **kwargs)
        return _turned(turned)
    if order != "C":
        raise NotImplementedError
    return a.array.reshape(a.length, *wanted, **kwargs)


def _sizes(shape: Any, old: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape with the length that -1 stands for."""
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    wanted = tuple(operator.index(size) for size in sizes)
    if -1 not in wanted:
        return wanted
    known = -math.prod(wanted)
    return tuple(math.prod(old) // known if size == -1 else size for size in wanted)


def _turned(array: Any) -> Any:
    return array.transpose(0, *range(array.ndim - 1, 0, -1))


@batched(np.ravel)
def _ravel(a: Any, order: Any = "C") -> Any:
    if order not in ("C", "F"):
        raise NotImplementedError
    return a.flat() if order == "C" else Rows(_turned(a.array)).flat()


@batched(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Any:
    if axes is None:
        return _turned(a.array)
    return a.array.transpose(0, *shifted(tuple(axes), a.ndim))


def _of_matrices(function: Any) -> None:
    @batched(function)
    def run(x: Any, /) -> Any:
        if x.ndim < 2:
            raise NotImplementedError
        return function(x.array)


_of_matrices(np.matrix_transpose)
_of_matrices(np.linalg.matrix_transpose)


@batched(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    return np.swapaxes(a.array, shifted_one(axis1, a.ndim), shifted_one(axis2, a.ndim))


@batched(np.moveaxis)
def _moveaxis(a: Any, source: Any, destination: Any) -> Any:
    return np.moveaxis(a.array, shifted(source, a.ndim), shifted(destination, a.ndim))


@batched(np.rollaxis)
def _rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    start = start + a.ndim if start < 0 else start
    return np.rollaxis(a.array, shifted_one(axis, a.ndim), start + 1)


@batched(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Any:
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    return np.expand_dims(a.array, shifted(axis, a.ndim + count))


@batched(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Any:
    if axis is None:
        return a.array.reshape(a.length, *(size for size in a.shape if size != 1))
    return np.squeeze(a.array, shifted(axis, a.ndim))


def _at_least(function: Any) -> None:
    @batched(function)
    def run(*arys: Any) -> Any:
        length = length_of(arys)
        results = [_reshaped_like(function, stacked(ary, length)) for ary in arys]
        return results[0] if len(results) == 1 else tuple(results)


def _reshaped_like(function: Any, array: NDArray[Any]) -> NDArray[Any]:
    return array.reshape(len(array), *function(np.empty(array.shape[1:])).shape)


for _function in (np.atleast_1d, np.atleast_2d, np.atleast_3d):
    _at_least(_function)


@batched(np.broadcast_to)
def _broadcast_to(array: Any, shape: Any, **kwargs: Any) -> Any:
    wanted = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if array.ndim > len(wanted):
        raise NotImplementedError
    return np.broadcast_to(array.padded(len(wanted)), (array.length, *wanted), **kwargs)


@batched(np.broadcast_arrays)
def _broadcast_arrays(*args: Any, **kwargs: Any) -> Any:
    length = length_of(args)
    rank = max(arg.ndim if isinstance(arg, Rows) else np.ndim(arg) for arg in args)
    padded = [arg.padded(rank) if isinstance(arg, Rows) else np.asarray(arg) for arg in args]
    shape = np.broadcast_shapes(*(array.shape for array in padded), (length, *(1,) * rank))
    return tuple(np.broadcast_to(array, shape, **kwargs) for array in padded)


@batched(np.flip)
def _flip(m: Any, axis: Any = None) -> Any:
    return np.flip(m.array, shifted(axis, m.ndim))


@batched(np.fliplr)
def _fliplr(m: Any) -> Any:
    return np.flip(m.array, shifted_one(1, m.ndim))


@batched(np.flipud)
def _flipud(m: Any) -> Any:
    return np.flip(m.array, shifted_one(0, m.ndim))


@batched(np.rot90)
def _rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    return np.rot90(m.array, k, shifted(tuple(axes), m.ndim))


@batched(np.lib.stride_tricks.sliding_window_view)
def _sliding_window_view(x: Any, window_shape: Any, axis: Any = None, **kwargs: Any) -> Any:
    if kwargs.get("writeable"):
        raise NotImplementedError
    return np.lib.stride_tricks.sliding_window_view(
        x.array, window_shape, shifted(axis, x.ndim), **kwargs
    )
