"""Functions of neighbours along an axis: running sums, differences, slopes, areas."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.exactness import kinds_of
from feedline.graph.rows import Rows, shifted, shifted_one
from feedline.graph.rule import batched

__all__ = []


def _running(function: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, axis: Any = None, *args: Any, **kwargs: Any) -> Any:
        if function in (np.cumprod, np.nancumprod) and "c" in kinds_of((a,)):
            raise NotImplementedError
        if axis is None:
            return function(a.flat(), 1, *args, **kwargs)
        return function(a.array, shifted_one(axis, a.ndim), *args, **kwargs)


for _function in (np.cumsum, np.cumprod, np.nancumsum, np.nancumprod):
    _running(_function)


def _cumulative(function: Any) -> None:
    @batched(function, fresh=True)
    def run(x: Any, /, *, axis: Any = None, **kwargs: Any) -> Any:
        if (axis is None and x.ndim != 1) or "c" in kinds_of((x,)):
            raise NotImplementedError
        return function(x.array, axis=shifted_one(axis or 0, x.ndim), **kwargs)


for _name in ("cumulative_sum", "cumulative_prod"):
    if hasattr(np, _name):
        _cumulative(getattr(np, _name))


@batched(np.diff)
def _diff(a: Any, n: int = 1, axis: int = -1, **kwargs: Any) -> Any:
    if not isinstance(a, Rows):
        raise NotImplementedError
    ends = {key: _end(value, a, axis) for key, value in kwargs.items()}
    return np.diff(a.array, n, shifted_one(axis, a.ndim), **ends)


def _end(value: Any, a: Rows, axis: int) -> Any:
    """Return what is put before or after the elements of ``a`` to be as deep as these."""
    if isinstance(value, Rows):
        array: NDArray[Any] = value.array
    else:
        constant = np.asanyarray(value)
        array = np.broadcast_to(constant, (a.length, *constant.shape))
    if array.ndim == 1:
        shape = list(a.shape)
        shape[axis] = 1
        array = array.reshape(a.length, *(1,) * a.ndim)
        array = np.broadcast_to(array, (a.length, *shape))
    return array


@batched(np.ediff1d, fresh=True)
def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    if to_end is not None or to_begin is not None:
        raise NotImplementedError
    flat = ary.flat()
    return flat[:, 1:] - flat[:, :-1]


@batched(np.gradient, fresh=True)
def _gradient(f: Any, *varargs: Any, axis: Any = None, **kwargs: Any) -> Any:
    if not isinstance(f, Rows) or any(isinstance(value, Rows) for value in varargs):
        raise NotImplementedError
    if "c" in kinds_of((f,)):
        raise NotImplementedError
    return np.gradient(f.array, *varargs, axis=shifted(axis, f.ndim), **kwargs)


@batched(np.trapezoid, fresh=True, exact=False)
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    if not isinstance(y, Rows) or isinstance(dx, Rows) or "c" in kinds_of((y,)):
        raise NotImplementedError
    if isinstance(x, Rows):
        if x.ndim != y.ndim:
            raise NotImplementedError
        x = x.array
    elif x is not None and np.ndim(x) != 1:
        raise NotImplementedError
    return np.trapezoid(y.array, x, dx, shifted_one(axis, y.ndim))


@batched(np.unwrap, fresh=True)
def _unwrap(p: Any, discont: Any = None, axis: int = -1, **kwargs: Any) -> Any:
    return np.unwrap(p.array, discont, shifted_one(axis, p.ndim), **kwargs)
