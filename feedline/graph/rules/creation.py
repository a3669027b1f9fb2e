"""New arrays like a given one: copies, zeros, ones, constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import Rows, length_of
from feedline.graph.rule import batched, fixed

__all__ = []


@batched(np.copy, fresh=True)
def _copy(a: Any, order: Any = "K", **kwargs: Any) -> Any:
    if order not in ("C", "K"):
        raise NotImplementedError  # the element axis would no longer be the outermost
    return np.copy(a.array, order, **kwargs)


def _filled(function: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, dtype: Any = None, order: Any = "K", **kwargs: Any) -> Any:
        shape = kwargs.pop("shape", None)
        return function(a.array, dtype, order, shape=_of_block(shape, a.length), **kwargs)


for _function in (np.zeros_like, np.ones_like):
    _filled(_function)


@batched(np.full_like, fresh=True)
def _full_like(a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", **kwargs: Any) -> Any:
    length = length_of((a, fill_value))
    kwargs["shape"] = _of_block(kwargs.get("shape"), length)
    if not isinstance(a, Rows):
        a = Rows(np.broadcast_to(a, (length, *np.shape(a))))
    made = np.empty_like(a.array, dtype, order, **kwargs)
    value = fill_value.padded(made.ndim - 1) if isinstance(fill_value, Rows) else fill_value
    np.copyto(made, value, casting="unsafe")
    return made


def _of_block(shape: Any, length: int) -> Any:
    if shape is None:
        return None
    return (length, *shape) if isinstance(shape, (tuple, list)) else (length, shape)


@fixed(np.empty_like)
def _empty_like(prototype: Any, *args: Any, **kwargs: Any) -> Any:
    # What is in it is open, so let it be the same at every call.
    return np.zeros_like(prototype, *args, **kwargs)
