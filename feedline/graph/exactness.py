"""exactness: when a ufunc rounds every number of a block as it rounds those of one element.

NumPy has several loops for a ufunc, and picks one by strides, overlap and the processor:
one written with vector instructions, and one that calls the C library. Whatever is rounded
once, such as a sum or a square root, is the same in all of them: such an operation is
*settled*. Of everything else the loop must be the same for a block as for one element.
It is, if the numbers of each element lie in a row, forwards and without gaps, and the same
holds for the block: that is what ``in_line()`` checks of every block.

Elements of one number need more. NumPy hands them to a loop with strides of zero, so that
some ufuncs go another way than with a row (all of float16 and complex numbers), and
``power`` takes square roots, squares and reciprocals where one exponent holds for a call.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows
from feedline.graph.same import same_values
from feedline.graph.symbol_operators import power
from feedline.values.dtype import DType

__all__ = [
    "MANY_WAYS",
    "in_line",
    "is_ambiguous",
    "is_settled",
    "kinds_of",
    "on_paths",
    "single_numbers_agree",
]

MANY_WAYS = "NumPy rounds it in several ways"

# Rounded once, or not at all; or the C library's in every loop.
_SETTLED: frozenset[Any] = frozenset(
    (
        *(np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.remainder),
        *(np.fmod, np.divmod, np.negative, np.positive, np.absolute, np.fabs, np.sign),
        *(np.square, np.reciprocal, np.sqrt, np.rint, np.floor, np.ceil, np.trunc),
        *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
        *(np.logical_and, np.logical_or, np.logical_xor, np.logical_not),
        *(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.bitwise_count),
        *(np.left_shift, np.right_shift, np.gcd, np.lcm, np.maximum, np.minimum),
        *(np.isnan, np.isinf, np.isfinite, np.isnat, np.signbit, np.copysign),
        *(np.nextafter, np.spacing, np.modf, np.frexp, np.ldexp, np.conjugate),
        *(np.heaviside, np.hypot, np.logaddexp, np.logaddexp2),
        *(np.deg2rad, np.rad2deg, np.degrees, np.radians),
    )
)
# A complex product is several roundings, and some loops leave one of them out.
_SETTLED_COMPLEX: frozenset[Any] = frozenset(
    (
        *(np.add, np.subtract, np.negative, np.positive, np.conjugate),
        *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
        *(np.logical_and, np.logical_or, np.logical_xor, np.logical_not),
        *(np.isnan, np.isinf, np.isfinite),
    )
)
_POWERS = (power, np.power)


def kinds_of(operands: Iterable[Any]) -> set[str]:
    """Return the kinds of numbers among operands: Rows, symbols, arrays and numbers."""
    return {_dtype_of(operand).kind for operand in operands}


def _shape_of(operand: Any) -> tuple[int, ...]:
    return operand.shape if isinstance(operand, Rows) else np.shape(operand)


def _is_real(operand: Any) -> bool:
    return _dtype_of(operand) in _TRIED_DTYPES


def _dtype_of(operand: Any) -> np.dtype[Any]:
    if isinstance(operand, Rows):
        operand = operand.array
    found = getattr(operand, "dtype", None)
    if isinstance(found, DType):
        return found.dtype
    return found if isinstance(found, np.dtype) else np.asarray(operand).dtype


def is_settled(fn: Any, kinds: set[str]) -> bool:
    """Whether an operation on numbers of these kinds is rounded the same by every loop.

    Example:
        >>> is_settled(np.multiply, {"f"}), is_settled(np.multiply, {"c"})
        (True, False)
        >>> is_settled(np.exp, {"f"}), is_settled(np.power, {"i"})
        (False, True)
    """
    if fn in _POWERS:
        return kinds <= {"b", "i", "u"}
    if not isinstance(fn, np.ufunc):
        return fn is not np.sinc and not (fn is np.isclose and "c" in kinds)
    return fn in (_SETTLED_COMPLEX if "c" in kinds else _SETTLED)


def is_ambiguous(fn: Any, operands: list[Any]) -> bool:
    """Whether NumPy rounds one number in several ways: as a scalar, in an array, by an operator."""
    if fn in _POWERS and any(one.shape == () and not one.is_scalar for one in operands):
        return True
    if not isinstance(fn, np.ufunc) and fn is not power:
        return False
    single = all(one.shape is not None and set(one.shape) <= {1} for one in operands)
    return single and "c" in kinds_of(operands) and not is_settled(fn, {"c"})


def in_line(block: NDArray[Any]) -> NDArray[Any]:
    """Return a block without gaps; raise where the numbers of an element do not lie in a row."""
    if block.flags.c_contiguous:
        return block
    if block.size and not block[0].flags.c_contiguous:
        raise NotImplementedError
    return np.ascontiguousarray(block)


def on_paths(fn: Any, operands: Iterable[Any]) -> list[Any]:
    """Return operands of an operation that is not settled so that the block is exact.

    Raises NotImplementedError where that cannot be known: then each element goes by itself.
    """
    given = list(operands)
    rows = [operand for operand in given if isinstance(operand, Rows)]
    shape = np.broadcast_shapes(*map(_shape_of, given))
    whole = all(operand.shape == shape for operand in rows) and all(
        math.prod(_shape_of(operand)) == 1 or _shape_of(operand) == shape for operand in given
    )
    # Else some have strides of zero in some loop, which those for real numbers do not mind.
    if not whole and (fn in (power, *_NEVER_SINGLE) or not all(map(_is_real, given))):
        raise NotImplementedError
    if any(isinstance(o, np.ndarray) and not o.flags.c_contiguous for o in given):
        raise NotImplementedError
    if math.prod(shape) == 1:
        dtypes = [
            rows[0].array.dtype if isinstance(operand, _PYTHON_NUMBERS) else _dtype_of(operand)
            for operand in given
        ]
        if not single_numbers_agree(fn, *dtypes):
            raise NotImplementedError
    return [
        Rows(in_line(operand.array)) if isinstance(operand, Rows) else operand for operand in given
    ]


@cache
def single_numbers_agree(fn: Any, *dtypes: np.dtype[Any]) -> bool:
    """Whether NumPy does for a single number what it does for many of them in a row.

    Its loops for float32 and float64 are written so: the vector instructions run for one
    number too. Builds for some processors have loops that do not, which is tried out.
    """
    if not isinstance(fn, np.ufunc) or fn.nout > 1 or fn in _NEVER_SINGLE:
        return False
    if any(dtype not in _TRIED_DTYPES for dtype in dtypes):
        return False
    draws = np.random.Generator(np.random.PCG64(1))
    numbers = [_drawn(draws, dtype) for dtype in dtypes]
    with np.errstate(all="ignore"):
        many = fn(*numbers)
        one = np.array([fn(*each) for each in zip(*numbers, strict=True)])
    return same_values(many, one)


def _drawn(draws: np.random.Generator, dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.kind != "f":
        return draws.integers(0, 2 if dtype.kind == "b" else 128, 4 * _TRIED).astype(dtype)
    drawn = draws.uniform(-0.25, 1, (_TRIED, 4)) * (1.0, 1.0, 20.0, 1000.0)
    return drawn.ravel().astype(dtype)


# So many times four numbers: two routines that are not the same differ in some of them.
_TRIED = 1024
_TRIED_DTYPES = [np.dtype(code) for code in "fd?bBhHiIlLqQ"]
# One exponent holds for the whole call, and NumPy has shortcuts for some.
_NEVER_SINGLE = (np.power, np.float_power)
_PYTHON_NUMBERS = (bool, int, float, complex)
