"""Questions about shapes and dtypes, answered while a function is recorded."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rule import fixed
from feedline.graph.symbol import Symbol
from feedline.graph.untraceable import refuse

__all__ = []


@fixed(np.shape)
def _shape(a: Any) -> Any:
    return tuple(a.shape[axis] if a.shape[axis] is not None else len(a) for axis in range(a.ndim))


@fixed(np.ndim)
def _ndim(a: Any) -> int:
    return int(a.ndim)


@fixed(np.size)
def _size(a: Any, axis: Any = None) -> int:
    if axis is None:
        return int(a.size)
    shape = _shape(a)
    axes = axis if isinstance(axis, tuple) else (axis,)
    return int(np.prod([shape[one] for one in axes], dtype=np.int64))


def _dtype_of(value: Any) -> Any:
    return value.dtype if isinstance(value, Symbol) else value


@fixed(np.result_type)
def _result_type(*arrays_and_dtypes: Any) -> Any:
    return np.result_type(*map(_dtype_of, arrays_and_dtypes))


@fixed(np.can_cast)
def _can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    return np.can_cast(_dtype_of(from_), _dtype_of(to), casting)


@fixed(np.common_type)
def _common_type(*arrays: Any) -> Any:
    return np.common_type(*(np.empty(0, array.dtype) for array in arrays))


@fixed(np.min_scalar_type)
def _min_scalar_type(a: Any, /) -> Any:
    if not a.ndim:
        refuse("np.min_scalar_type depends on a value")
    return a.dtype


def _indices_from(function: Any) -> None:
    @fixed(function)
    def answer(arr: Any, *args: Any, **kwargs: Any) -> Any:
        return function(np.broadcast_to(np.empty(()), _shape(arr)), *args, **kwargs)


_indices_from(np.diag_indices_from)
_indices_from(np.tril_indices_from)
_indices_from(np.triu_indices_from)


@fixed(np.iscomplexobj)
def _iscomplexobj(x: Any) -> bool:
    return bool(x.dtype.kind == "c")


@fixed(np.isrealobj)
def _isrealobj(x: Any) -> bool:
    return bool(x.dtype.kind != "c")
