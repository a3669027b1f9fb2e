"""Functions that reduce axes to one number: sums, means, extremes, tests, places."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, shifted
from feedline.graph.rule import batched

__all__ = ["is_flat", "opened"]


def opened(reduced: NDArray[Any], rank: int) -> NDArray[Any]:
    """Return results with the axes of length 1 that ``keepdims`` leaves of all axes."""
    return reduced.reshape(len(reduced), *(1,) * rank)


def is_flat(rows: Rows) -> bool:
    """Whether the numbers of each element lie in memory in a row."""
    return not rows.ndim or bool(rows.array.flags.c_contiguous)


def _reduction(function: Any, *, exact: bool) -> None:
    @batched(function, fresh=True, exact=exact)
    def run(a: Any, axis: Any = None, *args: Any, **kwargs: Any) -> Any:
        masked = kwargs.get("where")
        if isinstance(masked, Rows):
            kwargs["where"] = masked.padded(a.ndim)
        if axis is not None or "where" in kwargs or not (exact or is_flat(a)):
            if not a.ndim:
                raise NotImplementedError
            return function(a.array, shifted(axis, a.ndim), *args, **kwargs)
        keeps = kwargs.pop("keepdims", False) is True
        reduced = function(a.flat(), 1, *args, **kwargs)
        return opened(reduced, a.ndim) if keeps else reduced


_EXACT: list[Any] = [
    *(np.any, np.all, np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.count_nonzero),
]
_ROUNDED: list[Any] = [
    # Which of two zeros is the larger one depends on the order in which they come.
    *(np.max, np.min, np.amax, np.amin, np.ptp, np.nanmax, np.nanmin),
    *(np.sum, np.mean, np.prod, np.std, np.var),
    *(np.nansum, np.nanmean, np.nanprod, np.nanstd, np.nanvar),
]
for _function in _EXACT:
    _reduction(_function, exact=True)
for _function in _ROUNDED:
    _reduction(_function, exact=False)
