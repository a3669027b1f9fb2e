"""Sorting and partial sorting, of values and of places."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import Rows, length_of, shifted_one, stacked
from feedline.graph.rule import batched

__all__ = []


def _sort(function: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, axis: Any = -1, *args: Any, **kwargs: Any) -> Any:
        if axis is None:
            return function(a.flat(), 1, *args, **kwargs)
        return function(a.array, shifted_one(axis, a.ndim), *args, **kwargs)


_sort(np.sort)
_sort(np.argsort)


def _partition(function: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, kth: Any, axis: Any = -1, **kwargs: Any) -> Any:
        if isinstance(kth, Rows):
            raise NotImplementedError
        if axis is None:
            return function(a.flat(), kth, 1, **kwargs)
        return function(a.array, kth, shifted_one(axis, a.ndim), **kwargs)


_partition(np.partition)
_partition(np.argpartition)


@batched(np.lexsort, fresh=True)
def _lexsort(keys: Any, axis: int = -1) -> Any:
    if isinstance(keys, Rows):
        parts = [keys.array[:, i] for i in range(keys.shape[0])]
    else:
        length = length_of(keys)
        parts = [stacked(key, length) for key in keys]
    return np.lexsort(parts, shifted_one(axis, parts[0].ndim - 1))


@batched(np.sort_complex, fresh=True)
def _sort_complex(a: Any) -> Any:
    if not a.ndim:
        raise NotImplementedError
    return np.sort_complex(a.array)
