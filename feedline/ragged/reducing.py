"""reducing: sums and other numbers of many, along axes of ragged values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.ragged.rows import Parts, Rows, with_axis

__all__ = ["mean", "reduced"]


def reduced(parts: Parts, function: Any, axis: Any, keepdims: bool) -> Parts:
    """Return what a function of NumPy, such as np.sum, makes of axes.

    Args:
        parts: The value.
        function: One of np.sum, np.prod, np.max, np.min, np.any and np.all.
        axis: An axis, several, or None for all.
        keepdims: Whether axes of length 1 stay.
    """
    rows, flat = parts
    rank = len(rows) + flat.ndim
    if axis is None:
        made = np.asarray(_UFUNCS[function].reduce(flat, axis=None, **_start(function, flat)))
        return [], made.reshape((1,) * rank) if keepdims else made
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    if any(not -rank <= one < rank for one in axes):
        raise BuildError(f"an axis of a RaggedTensor must be below {rank} here, got {axis}.")
    for one in sorted({axis % rank for axis in axes}, reverse=True):
        parts = _along(parts, function, one)
        if keepdims:
            parts = with_axis(parts, one)
    return parts


def mean(parts: Parts, axis: Any, keepdims: bool) -> Parts:
    """Return means, which are NaN of nothing."""
    rows, flat = parts
    floats = flat if flat.dtype.kind in "fc" else flat.astype(np.float64)
    total = reduced((rows, floats), np.sum, axis, keepdims)
    count = reduced((rows, np.ones(flat.shape, floats.dtype)), np.sum, axis, keepdims)
    with np.errstate(invalid="ignore", divide="ignore"):
        return total[0], np.asarray(total[1] / count[1])


_UFUNCS: dict[Any, np.ufunc] = {
    np.sum: np.add,
    np.prod: np.multiply,
    np.max: np.maximum,
    np.min: np.minimum,
    np.any: np.logical_or,
    np.all: np.logical_and,
}


def _nothing(function: Any, dtype: np.dtype[Any]) -> Any:
    """Return what a function makes of no numbers."""
    if function in (np.sum, np.any):
        return np.zeros((), dtype)
    if function in (np.prod, np.all):
        return np.ones((), dtype)
    limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    return limits.min if function is np.max else limits.max


def _start(function: Any, flat: NDArray[Any]) -> dict[str, Any]:
    more: dict[str, Any] = {"dtype": flat.dtype} if function in (np.sum, np.prod) else {}
    if not flat.size:
        more["initial"] = _nothing(function, flat.dtype)
    return more


def _along(parts: Parts, function: Any, axis: int) -> Parts:
    rows, flat = parts
    if not rows:
        return [], _UFUNCS[function].reduce(flat, axis=axis, **_start(function, flat))
    if axis == 0:
        head = rows[0]
        made, values = _gathered(parts, np.zeros(head.count, np.int64), 1, function)
        # The only row of what was gathered.
        return made[1:], values
    head, inner = rows[0], (rows[1:], flat)
    if axis == 1:
        return _gathered(inner, head.ids, head.count, function)
    made, values = _along(inner, function, axis - 1)
    return [head, *made], values


def _gathered(parts: Parts, ids: NDArray[Any], count: int, function: Any) -> Parts:
    """Return items of the first axis reduced by id: those at one place, where they are rows."""
    rows, flat = parts
    if not rows:
        made = np.full((count, *flat.shape[1:]), _nothing(function, flat.dtype), flat.dtype)
        _UFUNCS[function].at(made, ids, flat)
        return [], made
    head = rows[0]
    lengths = np.zeros(count, head.splits.dtype)
    np.maximum.at(lengths, ids, head.lengths)
    longest = Rows.of_lengths(lengths, head.splits.dtype)
    places = longest.starts[ids[head.ids]] + head.places
    made_rows, values = _gathered((rows[1:], flat), places, int(longest.splits[-1]), function)
    return [longest, *made_rows], values
