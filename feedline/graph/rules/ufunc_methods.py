"""``ufunc.reduce``, ``ufunc.accumulate`` and ``ufunc.outer`` of every ufunc."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.exactness import is_settled, kinds_of
from feedline.graph.rows import Rows, shifted, shifted_one
from feedline.graph.rule import RULES, batched
from feedline.graph.rules.reductions import is_flat, opened

__all__ = []

# Their results do not depend on the order in which numbers are taken.
_EXACT = {
    *(np.gcd, np.lcm),
    *(np.logical_and, np.logical_or, np.logical_xor),
    *(np.bitwise_and, np.bitwise_or, np.bitwise_xor),
}


def _reduce(ufunc: np.ufunc) -> None:
    @batched(ufunc.reduce, fresh=True, exact=ufunc in _EXACT)
    def run(array: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        if not array.ndim or isinstance(kwargs.get("where"), Rows):
            raise NotImplementedError
        if not is_settled(ufunc, kinds_of((array,))):
            raise NotImplementedError
        if axis is not None or "where" in kwargs or not (ufunc in _EXACT or is_flat(array)):
            return ufunc.reduce(array.array, shifted(axis, array.ndim), *args, **kwargs)
        keeps = kwargs.pop("keepdims", False)
        reduced = ufunc.reduce(array.flat(), 1, *args, **kwargs)
        return opened(reduced, array.ndim) if keeps else reduced


def _accumulate(ufunc: np.ufunc) -> None:
    @batched(ufunc.accumulate, fresh=True)
    def run(array: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        if not is_settled(ufunc, kinds_of((array,))):
            raise NotImplementedError
        return ufunc.accumulate(array.array, shifted_one(axis, array.ndim), *args, **kwargs)


def _outer(ufunc: np.ufunc) -> None:
    @batched(ufunc.outer, fresh=True)
    def run(first: Any, second: Any, **kwargs: Any) -> Any:
        if not is_settled(ufunc, kinds_of((first, second))):
            raise NotImplementedError
        rank = second.ndim if isinstance(second, Rows) else np.ndim(second)
        if isinstance(first, Rows):
            first = first.array.reshape(*first.array.shape, *(1,) * rank)
            total = first.ndim - 1
        else:
            total = np.ndim(first) + rank
            first = np.reshape(first, (*np.shape(first), *(1,) * rank))
        if isinstance(second, Rows):
            second = second.padded(total)
        if not total:
            raise NotImplementedError
        return ufunc(first, second, **kwargs)


for _ufunc in [key for key in RULES if isinstance(key, np.ufunc)]:
    if _ufunc.nin == 2 and _ufunc.nout == 1:
        _reduce(_ufunc)
        _accumulate(_ufunc)
        _outer(_ufunc)
