"""flat: element-wise operations on leaves that differ in length, done on their flat values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Ragged
from feedline.graph.exactness import is_settled, kinds_of, single_numbers_agree
from feedline.graph.rows import Rows
from feedline.graph.symbol import astype
from feedline.graph.symbol_operators import power

__all__ = ["flat_elementwise"]

_ELEMENTWISE = {astype, power, np.where, np.nan_to_num, np.real, np.imag}


@cache  # one rule for each function: two recordings of it must be the same
def flat_elementwise(fn: Any) -> Callable[..., Any] | None:
    """Return the rule of an element-wise function for ragged operands; None for any other."""
    is_ufunc = isinstance(fn, np.ufunc) and fn.signature is None and fn.nout == 1
    if not is_ufunc and fn not in _ELEMENTWISE:
        return None

    def run(*args: Any, **kwargs: Any) -> Ragged:
        guide = next(arg for arg in args if isinstance(arg, Ragged))
        first, last = guide.splits[0], guide.splits[-1]
        rank = guide.values.ndim
        _check_paths(fn, args)
        values = fn(*(_flat(arg, guide, rank) for arg in args), **kwargs)
        if values.shape != guide.values[first:last].shape:
            raise ValueError("operands broadcast to another shape than that of the ragged one")
        return Ragged(values, guide.splits - first)

    return run


def _check_paths(fn: Any, args: tuple[Any, ...]) -> None:
    """Raise where a row by itself may be rounded otherwise than among others."""
    numbers = [arg.values if isinstance(arg, Ragged) else arg for arg in args]
    kinds = kinds_of(number for number in numbers if not isinstance(number, np.dtype))
    if fn in (np.fmax, np.fmin) and kinds & {"f", "c"}:
        raise NotImplementedError  # which of two zeros wins depends on their place
    if is_settled(fn, kinds):
        return
    if fn in (power, np.power, np.float_power):
        # Squares are rounded once. Any other exponent takes other ways for rows of one number.
        if "c" in kinds or not isinstance(args[1], (int, float)) or args[1] != 2:
            raise NotImplementedError
        if fn is not np.float_power:
            return
    first = numbers[0]
    if len(args) > 1 or not isinstance(first, np.ndarray) or not first.flags.c_contiguous:
        raise NotImplementedError
    if not single_numbers_agree(fn, first.dtype):
        raise NotImplementedError


def _flat(operand: Any, guide: Ragged, rank: int) -> Any:
    """Return an operand so that it lines up with the flat values of a ragged one."""
    if isinstance(operand, Ragged):
        if operand.splits is not guide.splits and not np.array_equal(
            operand.lengths, guide.lengths
        ):
            raise ValueError("rows of different lengths")
        return operand.values[operand.splits[0] : operand.splits[-1]]
    if isinstance(operand, Rows):
        if operand.ndim >= rank:
            raise ValueError("an operand as deep as the ragged one")
        repeated: NDArray[Any] = np.repeat(operand.padded(rank - 1), guide.lengths, axis=0)
        return repeated
    if isinstance(operand, np.ndarray) and operand.ndim >= rank and operand.shape[-rank] != 1:
        raise ValueError("a constant as deep as the ragged operand")
    return operand
