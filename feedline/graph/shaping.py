"""shaping: arguments that decide the shape of a result, which may not differ between elements."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from feedline.graph.nested import symbols_in
from feedline.graph.rule import named
from feedline.graph.untraceable import refuse

__all__ = ["check_shaping"]

# Arguments that decide the shape of a result. A value in one of these may give the samples
# the same shape by chance.
_SHAPING = frozenset(
    (
        *("axis", "axes", "axis1", "axis2", "shape", "newshape", "new_shape", "reps"),
        *("repeats", "pad_width", "num", "k", "obj", "indices_or_sections", "source"),
        *("destination", "count", "ndmin", "sections"),
    )
)


def check_shaping(fn: Any, args: Any, kwargs: dict[str, Any]) -> None:
    """Give up if the shape of a result depends on a value."""
    if isinstance(fn, np.ufunc) or not str(getattr(fn, "__module__", "")).startswith("numpy"):
        return
    if all(symbol.is_constant for symbol in symbols_in((args[1:], kwargs))):
        return
    try:
        given = inspect.signature(fn).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):  # no signature to be had, or a wrong call
        return
    for name in _SHAPING.intersection(given):
        if any(not symbol.is_constant for symbol in symbols_in(given[name])):
            refuse(f"gives {named(fn)} a value as {name}=")
