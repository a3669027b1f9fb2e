"""Medians, quantiles, averages, covariances, sliding products."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, length_of, shifted, stacked
from feedline.graph.rule import batched, loops
from feedline.graph.rules.reductions import is_flat, opened

__all__ = []


@batched(np.median, fresh=True)
def _median(a: Any, axis: Any = None, **kwargs: Any) -> Any:
    if axis is not None:
        return np.median(a.array, shifted(axis, a.ndim), **kwargs)
    keeps = kwargs.pop("keepdims", False)
    reduced = np.median(a.flat(), 1, **kwargs)
    return opened(reduced, a.ndim) if keeps else reduced


def _quantile(function: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, q: Any, axis: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(a, Rows) or isinstance(q, Rows) or kwargs.get("weights") is not None:
            raise NotImplementedError
        if a.array.dtype.kind in "iu":
            # Between integers NumPy goes by a subtraction, and warns if that of one element wraps.
            raise NotImplementedError
        rank = a.ndim
        array, axes = (a.flat(), 1) if axis is None else (a.array, shifted(axis, rank))
        keeps = kwargs.pop("keepdims", False)
        if keeps and axis is not None:
            kwargs["keepdims"] = True
        # The axes of q come first; the elements go before them.
        found = np.moveaxis(function(array, q, axes, *args, **kwargs), np.ndim(q), 0)
        return found.reshape(*found.shape, *(1,) * rank) if keeps and axis is None else found


_quantile(np.quantile)
_quantile(np.percentile)


@batched(np.average, fresh=True, exact=False)
def _average(a: Any, axis: Any = None, weights: Any = None, **kwargs: Any) -> Any:
    length = length_of((a, weights))
    array = _lined_up(a, length)
    if weights is None:
        kept = None
    else:
        kept = _lined_up(weights, length)
        if kept.shape != array.shape or is_flat(Rows(kept)) != is_flat(Rows(array)):
            raise NotImplementedError
    axes = shifted(axis, array.ndim - 1)
    if axis is None and not kwargs.get("keepdims") and is_flat(Rows(array)):
        array, axes = Rows(array).flat(), 1
        kept = None if kept is None else Rows(kept).flat()
    if kept is None and not kwargs.pop("returned", False):
        return np.mean(array, axes, **kwargs)
    return np.average(array, axes, kept, **kwargs)


def _lined_up(operand: Any, length: int) -> NDArray[Any]:
    if not isinstance(operand, Rows) and not np.asarray(operand).flags.c_contiguous:
        raise NotImplementedError
    found = stacked(operand, length)
    return found if isinstance(operand, Rows) else found.copy()


# NumPy takes another formula for one row of numbers than for several, or loops itself.
loops(np.nanmedian, np.nanpercentile, np.nanquantile, fresh=True)
# BLAS on whole matrices: a stack of them would be rounded in another way.
loops(np.cov, np.corrcoef, np.convolve, np.correlate, fresh=True, exact=False)
