"""Bits packed into bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import shifted_one
from feedline.graph.rule import batched

__all__ = []


def _packing(function: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, /, axis: Any = None, **kwargs: Any) -> Any:
        if axis is None:
            return function(a.flat(), 1, **kwargs)
        return function(a.array, shifted_one(axis, a.ndim), **kwargs)


_packing(np.packbits)
_packing(np.unpackbits)
