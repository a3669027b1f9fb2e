"""Functions that change their first argument, recorded as making a changed copy of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import Rows, length_of, shifted_one, stacked
from feedline.graph.rule import batched, fixed, loops
from feedline.graph.symbol import Symbol
from feedline.graph.untraceable import refuse

__all__ = ["Changed"]


class Changed:
    """What a function that changes its first argument would leave of it."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self.__name__ = function.__name__
        self.__module__ = function.__module__

        @fixed(function)
        def answer(array: Any, *args: Any, **kwargs: Any) -> None:
            if not isinstance(array, Symbol) or not array.ndim:
                refuse(f"lets np.{self.__name__} write into an array that is not recorded")
            array.become(array.trace.record(self, (array, *args), kwargs))

    def __call__(self, array: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Return a changed copy."""
        changed = np.array(array)
        self._function(changed, *args, **kwargs)
        return changed


_copyto = Changed(np.copyto)
_fill_diagonal = Changed(np.fill_diagonal)
_put_along_axis = Changed(np.put_along_axis)
_putmask = Changed(np.putmask)
loops(Changed(np.put), Changed(np.place), fresh=True)


@batched(_copyto, fresh=True)
def _copied(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> Any:
    changed = stacked(dst, length_of((dst, src, where))).copy()
    src, where = (x.padded(changed.ndim - 1) if isinstance(x, Rows) else x for x in (src, where))
    np.copyto(changed, src, casting, where)
    return changed


@batched(_fill_diagonal, fresh=True)
def _filled_diagonal(a: Any, val: Any, wrap: bool = False) -> Any:
    if not isinstance(a, Rows) or wrap or a.ndim != 2:
        raise NotImplementedError
    rank = val.ndim if isinstance(val, Rows) else np.ndim(val)
    if rank:
        raise NotImplementedError  # NumPy repeats or cuts what is put there
    changed = a.array.copy()
    places = np.arange(min(a.shape))
    changed[:, places, places] = val.array[:, None] if isinstance(val, Rows) else val
    return changed


@batched(_put_along_axis, fresh=True)
def _put_along(arr: Any, indices: Any, values: Any, axis: Any) -> Any:
    if axis is None:
        raise NotImplementedError
    length = length_of((arr, indices, values))
    changed = stacked(arr, length).copy()
    rank = changed.ndim - 1
    places = stacked(indices, length)
    put = values.padded(rank) if isinstance(values, Rows) else values
    np.put_along_axis(changed, places, put, shifted_one(axis, rank))
    return changed


@batched(_putmask, fresh=True)
def _masked(a: Any, mask: Any, values: Any) -> Any:
    length = length_of((a, mask, values))
    rank = values.ndim if isinstance(values, Rows) else np.ndim(values)
    changed = stacked(a, length).copy()
    chosen = stacked(mask, length)
    if rank or chosen.shape != changed.shape:
        raise NotImplementedError  # NumPy repeats the values in the order of places
    put = values.padded(changed.ndim - 1) if isinstance(values, Rows) else values
    np.copyto(changed, put, casting="unsafe", where=chosen.astype(bool))
    return changed
