"""comparing: equal, less and their kin; logic of bools and of bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.elementwise import made_binary, made_unary
from feedline.graph.symbol import Symbol
from feedline.ragged import RaggedTensor
from feedline.values.operators import compared, holds_text

__all__ = [
    "equal",
    "greater",
    "greater_equal",
    "is_finite",
    "is_inf",
    "is_nan",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
]


def _equal(x: Any, y: Any) -> Any:
    if isinstance(x, Symbol) or isinstance(y, Symbol):
        return np.equal(x, y)
    return compared(x, y, True) if _is_text(x, y) else _as_bools(x == y)


def _not_equal(x: Any, y: Any) -> Any:
    if isinstance(x, Symbol) or isinstance(y, Symbol):
        return np.not_equal(x, y)
    return compared(x, y, False) if _is_text(x, y) else _as_bools(x != y)


def _is_text(x: Any, y: Any) -> bool:
    """Whether both are strings, of which bytes and str of one text are equal."""
    return holds_text(x) and holds_text(y)


def _as_bools(found: Any) -> Any:
    if isinstance(found, RaggedTensor):
        return found
    return np.asarray(found, bool)[()]


equal = made_binary("equal", _equal, "Return whether two are equal.")
not_equal = made_binary("not_equal", _not_equal, "Return whether two differ.")
less = made_binary("less", np.less, "Return whether x < y.")
less_equal = made_binary("less_equal", np.less_equal, "Return whether x <= y.")
greater = made_binary("greater", np.greater, "Return whether x > y.")
greater_equal = made_binary("greater_equal", np.greater_equal, "Return whether x >= y.")
logical_and = made_binary("logical_and", np.logical_and, "Return whether both are true.")
logical_or = made_binary("logical_or", np.logical_or, "Return whether one of two is true.")
logical_xor = made_binary("logical_xor", np.logical_xor, "Return whether exactly one is true.")
logical_not = made_unary("logical_not", np.logical_not, "Return whether it is false.")
is_nan = made_unary("is_nan", np.isnan, "Return which numbers are NaN.")
is_inf = made_unary("is_inf", np.isinf, "Return which numbers are infinite.")
is_finite = made_unary("is_finite", np.isfinite, "Return which numbers are finite.")
