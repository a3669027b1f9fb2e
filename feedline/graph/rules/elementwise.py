"""Functions of each number by itself: every ufunc, casts, choices by condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.broadcasting import Elementwise
from feedline.graph.exactness import is_settled, kinds_of, on_paths
from feedline.graph.fitting import as_number_of, check_fits
from feedline.graph.rows import Rows, aligned
from feedline.graph.rule import RULES, Rule, batched, loops
from feedline.graph.symbol import astype
from feedline.graph.symbol_operators import power
from feedline.graph.untraceable import refuse

__all__ = []


def _extreme(ufunc: np.ufunc) -> None:
    @batched(ufunc, fresh=True)
    def run(first: Any, second: Any, **kwargs: Any) -> Any:
        first, second = aligned(first, second)
        if np.result_type(first, second).kind in "fc":
            # Which of two zeros of different sign wins depends on their place in the array.
            raise NotImplementedError
        return ufunc(first, second, **kwargs)


_extreme(np.fmax)
_extreme(np.fmin)
for _ufunc in vars(np).values():  # not dir(): that would import parts of NumPy nobody uses
    if isinstance(_ufunc, np.ufunc) and _ufunc.signature is None and _ufunc not in RULES:
        RULES[_ufunc] = Rule(Elementwise(_ufunc), fresh=True)

_FRESH: list[Any] = [
    *(np.isclose, np.iscomplex, np.isneginf, np.isposinf, np.isreal, np.sinc),
]
# Of integers or real numbers, some of these return what they get.
_SHARING: list[Any] = [np.fix, np.imag, np.real]
for _function in _FRESH:
    RULES[_function] = Rule(Elementwise(_function), fresh=True)
for _function in _SHARING:
    RULES[_function] = Rule(Elementwise(_function))

_clipped = Elementwise(np.clip)


@batched(np.clip, fresh=True)
def _clip(a: Any, *args: Any, **kwargs: Any) -> Any:
    operands = [a, *args, *kwargs.values()]
    varies = any(isinstance(bound, Rows) for bound in operands[1:])
    if varies and len(set().union(*map(_signs_of_zeros, operands))) > 1:
        # Which of two zeros of different sign wins depends on how many numbers a bound holds for.
        raise NotImplementedError
    return _clipped(a, *args, **kwargs)


def _signs_of_zeros(operand: Any) -> set[bool]:
    """Return the signs that zeros have, as np.signbit() tells them; integers have one too."""
    array = np.asarray(operand.array if isinstance(operand, Rows) else operand)
    if array.dtype.kind not in "biufc":
        return set()
    signs: list[bool] = np.unique(np.signbit(array.real[array == 0])).tolist()
    return set(signs)


def _rounding(function: Any) -> None:
    rounded = Elementwise(function)

    @batched(function)
    def run(a: Any, decimals: Any = 0, **kwargs: Any) -> Any:
        if not isinstance(decimals, int) or (decimals < 0 and a.array.dtype.kind in "iu"):
            # Integers are divided as one loop or another does it, and wrap around.
            raise NotImplementedError
        return rounded(a, decimals, **kwargs)


_rounding(np.around)
_rounding(np.round)


@batched(astype, fresh=True)
def _astype(array: Any, dtype: Any, casting: Any = "unsafe") -> Any:
    return array.array.astype(dtype, casting=casting)


@batched(as_number_of, fresh=True)
def _as_number_of(number: Any, dtype: Any) -> Any:
    check_fits(number.array, dtype)
    return number.array.astype(dtype)


@batched(power, fresh=True)
def _power(base: Any, exponent: Any) -> Any:
    if not is_settled(power, kinds_of((base, exponent))):
        base, exponent = on_paths(power, (base, exponent))
    base, exponent = aligned(base, exponent)
    return base**exponent


@batched(np.where, fresh=True)
def _where(condition: Any, *choices: Any) -> Any:
    if not choices:
        refuse("np.where(condition) finds as many places as there are")
    return np.where(*aligned(condition, *choices))


@batched(np.nan_to_num, fresh=True)
def _nan_to_num(x: Any, copy: bool = True, **kwargs: Any) -> Any:
    if not copy:
        refuse("np.nan_to_num(copy=False) changes an array in place")
    if any(isinstance(value, Rows) for value in kwargs.values()):
        raise NotImplementedError
    return np.nan_to_num(x.array, **kwargs)


@batched(np.select, fresh=True)
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    count = len(condlist)
    *lists, default = aligned(*condlist, *choicelist, default)
    return np.select(lists[:count], lists[count:], default)


if hasattr(np, "astype"):

    @batched(np.astype)
    def _np_astype(x: Any, dtype: Any, /, **kwargs: Any) -> Any:
        return np.astype(x.array, dtype, **kwargs)


# The one looks at real and imaginary parts, which have gaps; the other picks numbers out.
loops(np.angle, np.i0, fresh=True)
# Which formula NumPy uses depends on all numbers of a call together.
loops(np.linspace, np.logspace, np.geomspace, fresh=True)
