"""Functions that reduce axes to one number: sums, means, extremes, tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import shifted
from feedline.graph.rule import batched

__all__: list[str] = []


def _reduction(function: Any, *, exact: bool) -> None:
    @batched(function, fresh=True, exact=exact)
    def run(a: Any, axis: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not a.ndim:
            raise NotImplementedError
        array = a.array
        if axis is None and not kwargs.get("keepdims"):
            # As NumPy sees one element: all its numbers in a row.
            if not array.flags.c_contiguous:
                raise NotImplementedError
            return function(array.reshape(len(array), -1), 1, *args, **kwargs)
        return function(array, shifted(axis, a.ndim), *args, **kwargs)


for _function in (np.max, np.min, np.any, np.all, np.ptp):
    _reduction(_function, exact=True)
for _function in (np.sum, np.mean, np.prod, np.std, np.var):
    _reduction(_function, exact=False)
