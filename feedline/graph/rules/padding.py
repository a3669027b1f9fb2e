"""``np.pad`` in all of its modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import Rows
from feedline.graph.rule import batched
from feedline.graph.untraceable import refuse

__all__ = []


@batched(np.pad, fresh=True)
def _pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    if callable(mode):
        refuse("np.pad calls a function")
    if mode in ("linear_ramp", "mean") or not isinstance(array, Rows):
        # Their rounding depends on all numbers of a call together.
        raise NotImplementedError
    rank = array.ndim
    widths = _pairs(_by_axis(pad_width, rank), rank)
    per_axis = {key: value for key, value in kwargs.items() if key != "reflect_type"}
    if any(isinstance(value, Rows) for value in per_axis.values()):
        raise NotImplementedError
    kwargs.update(
        (key, [(1, 1), *_pairs(value, rank)])
        for key, value in per_axis.items()
        if value is not None
    )
    return np.pad(array.array, [(0, 0), *widths], mode, **kwargs)


def _by_axis(pad_width: Any, rank: int) -> Any:
    """Return what a dict says of some axes as a width for each of them."""
    if not isinstance(pad_width, dict):
        return pad_width
    widths: list[Any] = [(0, 0)] * rank
    for axis, width in pad_width.items():
        widths[axis] = width if isinstance(width, tuple) else (width, width)
    return widths


def _pairs(value: Any, rank: int) -> list[Any]:
    return list(np.broadcast_to(value, (rank, 2)).tolist())
