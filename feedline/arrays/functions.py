"""functions: exponentials, logarithms, trigonometry and their relatives."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from feedline.arrays.elementwise import made_binary, made_unary
from feedline.arrays.given import given, pair
from feedline.errors import BuildTypeError
from feedline.graph.operation import operation
from feedline.graph.rule import batched

__all__ = [
    "acos",
    "acosh",
    "angle",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "exp",
    "expm1",
    "l2_normalize",
    "lgamma",
    "log",
    "log1p",
    "log_sigmoid",
    "log_softmax",
    "ndtri",
    "nextafter",
    "polyval",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "softmax",
    "softplus",
    "softsign",
    "sqrt",
    "tan",
    "tanh",
    "xdivy",
    "xlog1py",
    "xlogy",
    "zero_fraction",
]


def _sigmoid(x: Any) -> Any:
    # exp() of a number that is never positive: nothing overflows.
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))


def _clean(x: Any, made: Any) -> Any:
    return np.where(np.equal(x, 0), np.zeros_like(made), made)


def _times_log(log: Any) -> Any:
    def run(x: Any, y: Any) -> Any:
        safe = np.where(np.equal(x, 0), np.ones_like(y), y)
        return _clean(x, np.multiply(x, log(safe)))

    return run


def _xdivy(x: Any, y: Any) -> Any:
    safe = np.where(np.equal(x, 0), np.ones_like(y), y)
    return _clean(x, np.true_divide(x, safe))


@operation
def _one_by_one(function: Any, x: Any) -> Any:
    """Call one of Python's functions on each number: NumPy has none of its own for these."""
    made = np.frompyfunc(function, 1, 1)(np.asarray(x, np.float64))
    return np.asarray(made, np.float64).astype(x.dtype)[()]


@batched(_one_by_one, fresh=True)
def _one_by_one_rows(function: Any, x: Any) -> Any:
    return _one_by_one(function, x.array)


def _normal_quantile(part: float) -> float:
    if 0 < part < 1:
        return NormalDist().inv_cdf(part)
    return math.inf if part == 1 else -math.inf if part == 0 else math.nan


sqrt = made_unary("sqrt", np.sqrt, "Return square roots.")
rsqrt = made_unary("rsqrt", lambda x: np.reciprocal(np.sqrt(x)), "Return 1 / sqrt(x).")
exp = made_unary("exp", np.exp, "Return exponentials.")
expm1 = made_unary("expm1", np.expm1, "Return exp(x) - 1, exact for small numbers.")
log = made_unary("log", np.log, "Return natural logarithms.")
log1p = made_unary("log1p", np.log1p, "Return log(1 + x), exact for small numbers.")
sin = made_unary("sin", np.sin, "Return sines.")
cos = made_unary("cos", np.cos, "Return cosines.")
tan = made_unary("tan", np.tan, "Return tangents.")
asin = made_unary("asin", np.arcsin, "Return inverse sines.")
acos = made_unary("acos", np.arccos, "Return inverse cosines.")
atan = made_unary("atan", np.arctan, "Return inverse tangents.")
sinh = made_unary("sinh", np.sinh, "Return hyperbolic sines.")
cosh = made_unary("cosh", np.cosh, "Return hyperbolic cosines.")
tanh = made_unary("tanh", np.tanh, "Return hyperbolic tangents.")
asinh = made_unary("asinh", np.arcsinh, "Return inverse hyperbolic sines.")
acosh = made_unary("acosh", np.arccosh, "Return inverse hyperbolic cosines.")
atanh = made_unary("atanh", np.arctanh, "Return inverse hyperbolic tangents.")
sigmoid = made_unary("sigmoid", _sigmoid, "Return 1 / (1 + exp(-x)).")
log_sigmoid = made_unary(
    "log_sigmoid", lambda x: -np.logaddexp(-x, np.zeros_like(x)), "Return log(sigmoid(x))."
)
erf = made_unary(
    "erf", lambda x: _one_by_one(math.erf, x), "Return the error function, number by number."
)
erfc = made_unary(
    "erfc", lambda x: _one_by_one(math.erfc, x), "Return 1 - erf(x), number by number."
)
lgamma = made_unary(
    "lgamma", lambda x: _one_by_one(math.lgamma, x), "Return log(|gamma(x)|), number by number."
)
ndtri = made_unary(
    "ndtri",
    lambda x: _one_by_one(_normal_quantile, x),
    "Return what a normal number is below with a probability, number by number.",
)
erfinv = made_unary(
    "erfinv",
    lambda x: _one_by_one(lambda y: _normal_quantile((1 + y) / 2) / math.sqrt(2), x),
    "Return the inverse of erf, number by number.",
)
erfcinv = made_unary(
    "erfcinv",
    lambda x: _one_by_one(lambda y: -_normal_quantile(y / 2) / math.sqrt(2), x),
    "Return the inverse of erfc, number by number.",
)
xlogy = made_binary(
    "xlogy", _times_log(np.log), "Return x * log(y); 0 where x is 0.", of_arrays=True
)
xlog1py = made_binary(
    "xlog1py", _times_log(np.log1p), "Return x * log(1 + y); 0 where x is 0.", of_arrays=True
)
xdivy = made_binary("xdivy", _xdivy, "Return x / y; 0 where x is 0.", of_arrays=True)


def softplus(features: Any, name: str | None = None) -> Any:
    """Return log(exp(x) + 1)."""
    array = given(features)
    return np.logaddexp(array, np.zeros_like(array))


def softsign(features: Any, name: str | None = None) -> Any:
    """Return x / (|x| + 1)."""
    array = given(features)
    return array / (np.abs(array) + 1)


def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Any:
    """Return exponentials divided by their sum along an axis, by default the last.

    Example:
        >>> softmax([0.0, 0.0])
        array([0.5, 0.5], dtype=float32)
    """
    array, along = given(logits), -1 if axis is None else axis
    small = np.exp(array - np.max(array, axis=along, keepdims=True))
    return small / np.sum(small, axis=along, keepdims=True)


def log_softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Any:
    """Return the logarithm of softmax."""
    array, along = given(logits), -1 if axis is None else axis
    moved = array - np.max(array, axis=along, keepdims=True)
    return moved - np.log(np.sum(np.exp(moved), axis=along, keepdims=True))


def angle(input: Any, name: str | None = None) -> Any:
    """Return angles of complex numbers."""
    return np.angle(given(input))


def atan2(y: Any, x: Any, name: str | None = None) -> Any:
    """Return angles of the points (x, y)."""
    return np.arctan2(*pair(y, x))


def nextafter(x1: Any, x2: Any, name: str | None = None) -> Any:
    """Return the next float towards another."""
    return np.nextafter(*pair(x1, x2))


def l2_normalize(
    x: Any,
    axis: Any = None,
    epsilon: float = 1e-12,
    name: str | None = None,
    dim: Any = None,
) -> Any:
    """Return arrays divided by their length along an axis, also named ``dim``."""
    array, axis = given(x), dim if axis is None else axis
    along = tuple(axis) if isinstance(axis, list) else axis
    total = np.sum(np.square(array), axis=along, keepdims=True)
    return array / np.sqrt(np.maximum(total, epsilon))


def polyval(coeffs: Any, x: Any, name: str | None = None) -> Any:
    """Return the value of a polynomial, whose coefficients are a list, the highest power first.

    Example:
        >>> polyval([1.0, 0.0, 2.0], 3.0)
        np.float32(11.0)
    """
    if not isinstance(coeffs, list):
        raise BuildTypeError(f"polyval(): coeffs must be a list, got {coeffs!r}.")
    array = given(x)
    if not coeffs:
        return np.zeros_like(array)
    total = given(coeffs[0], array.dtype)
    for coefficient in coeffs[1:]:
        total = given(coefficient, array.dtype) + total * array
    return total


def zero_fraction(value: Any, name: str | None = None) -> Any:
    """Return which part of the numbers is zero, as float32."""
    return np.mean(np.equal(given(value), 0).astype(np.float32))
