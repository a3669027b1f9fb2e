"""arithmetic: sums, products, powers and rounding, number by number."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from feedline.arrays.elementwise import made_binary, made_unary
from feedline.arrays.given import given, given_all, given_dtype, pair
from feedline.errors import BuildError

__all__ = [
    "abs_",
    "accumulate_n",
    "add",
    "add_n",
    "ceil",
    "clip_by_value",
    "conj",
    "cross",
    "divide",
    "divide_no_nan",
    "floor",
    "floordiv",
    "floormod",
    "imag",
    "maximum",
    "minimum",
    "multiply",
    "multiply_no_nan",
    "negative",
    "pow_",
    "real",
    "reciprocal",
    "reciprocal_no_nan",
    "rint",
    "round_",
    "scalar_mul",
    "sign",
    "square",
    "squared_difference",
    "subtract",
    "truediv",
    "truncatediv",
    "truncatemod",
]


def _true_divided(x: Any, y: Any) -> Any:
    kinds = [np.dtype(dtype) for dtype in map(given_dtype, (x, y)) if dtype is not None]
    if kinds and all(kind.kind in "iub" for kind in kinds):
        # TensorFlow makes floats of integers first: float32 of small ones.
        wide = max(kind.itemsize for kind in kinds)
        wanted = np.float32 if wide < 4 else np.float64
        return np.true_divide(np.multiply(x, wanted(1)), np.multiply(y, wanted(1)))
    return np.true_divide(x, y)


def _zero_where(zero: Any, made: Any) -> Any:
    return np.where(zero, np.zeros_like(made), made)


def _divided_no_nan(x: Any, y: Any) -> Any:
    below = np.where(np.equal(y, 0), np.ones_like(y), y)
    return _zero_where(np.equal(y, 0), np.true_divide(x, below))


def _multiplied_no_nan(x: Any, y: Any) -> Any:
    clean = np.where(np.equal(y, 0), np.zeros_like(x), x)
    return np.multiply(clean, y)


add = made_binary("add", np.add, "Return sums; strings are joined.")
subtract = made_binary("subtract", np.subtract, "Return differences.")
multiply = made_binary("multiply", np.multiply, "Return products.")
truediv = made_binary("truediv", _true_divided, "Return quotients as floats.")
divide = made_binary("divide", _true_divided, "Return quotients as floats.")
divide_no_nan = made_binary(
    "divide_no_nan", _divided_no_nan, "Return quotients; 0 for x / 0.", of_arrays=True
)
floordiv = made_binary("floordiv", np.floor_divide, "Return quotients rounded down.")


def _truncated_quotient(x: Any, y: Any) -> Any:
    whole = np.floor_divide(np.abs(x), np.abs(y))
    return np.where(np.less(x, 0) != np.less(y, 0), -whole, whole)[()]


truncatediv = made_binary(
    "truncatediv", _truncated_quotient, "Return quotients of integers without their fraction."
)
truncatemod = made_binary("truncatemod", np.fmod, "Return remainders with the sign of the number.")
floormod = made_binary("floormod", np.mod, "Return remainders with the sign of the divisor.")
multiply_no_nan = made_binary(
    "multiply_no_nan",
    _multiplied_no_nan,
    "Return products; 0 where y is 0, even beside NaN.",
    of_arrays=True,
)
maximum = made_binary("maximum", np.maximum, "Return the larger of two.")
minimum = made_binary("minimum", np.minimum, "Return the smaller of two.")
squared_difference = made_binary(
    "squared_difference", lambda x, y: np.square(np.subtract(x, y)), "Return (x - y) ** 2."
)
pow_ = made_binary("pow", np.power, "Return powers.")

abs_ = made_unary("abs", np.abs, "Return absolute values.")
negative = made_unary("negative", np.negative, "Return numbers with the other sign.")
sign = made_unary("sign", np.sign, "Return -1, 0 or 1.")
square = made_unary("square", np.square, "Return squares.")
floor = made_unary("floor", np.floor, "Return numbers rounded down.")
ceil = made_unary("ceil", np.ceil, "Return numbers rounded up.")
rint = made_unary("rint", np.rint, "Return numbers rounded, halves to even.")
round_ = made_unary("round", np.round, "Return numbers rounded, halves to even.")
reciprocal = made_unary("reciprocal", np.reciprocal, "Return 1 / x.")
reciprocal_no_nan = made_unary(
    "reciprocal_no_nan",
    lambda x: _divided_no_nan(np.ones_like(x), x),
    "Return 1 / x; 0 where x is 0.",
)
conj = made_unary("conj", np.conjugate, "Return complex conjugates.")


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """Return an array times one number."""
    return np.multiply(*pair(scalar, x))


def add_n(inputs: Any, name: str | None = None) -> Any:
    """Return the sum of arrays of one shape."""
    arrays = given_all(inputs if isinstance(inputs, (list, tuple)) else [inputs])
    if not arrays:
        raise BuildError("add_n(): at least one array must be given.")
    if len({array.shape for array in arrays}) > 1:
        raise BuildError("add_n(): the arrays must have one shape.")
    return reduce(np.add, arrays)


def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Any:
    """Return the sum of arrays of one shape."""
    return add_n(inputs)


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """Return numbers brought between two bounds.

    Example:
        >>> clip_by_value([-1.0, 0.5, 9.0], 0.0, 1.0)
        array([0. , 0.5, 1. ], dtype=float32)
    """
    array, low = pair(given(t), clip_value_min)
    _, high = pair(array, clip_value_max)
    return np.clip(array, low, high)


def cross(a: Any, b: Any, name: str | None = None) -> Any:
    """Return cross products of vectors of 3 along the last axis."""
    x, y = pair(a, b)
    parts = [x[..., i] * y[..., j] - x[..., j] * y[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return np.stack(parts, -1)


def real(input: Any, name: str | None = None) -> Any:
    """Return real parts."""
    return np.real(given(input))


def imag(input: Any, name: str | None = None) -> Any:
    """Return imaginary parts."""
    return np.imag(given(input))
