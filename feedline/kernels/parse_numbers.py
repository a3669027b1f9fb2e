"""parse_numbers: text as numbers, with the rules of TensorFlow.

White space around a number does not count. Integers are decimal, with or without a sign.
Floats are decimal or hexadecimal, "inf", "infinity" or "nan" in any case, rounded to the
nearest; what is too large for the dtype becomes infinite.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["parse_numbers", "parse_numbers_twin"]

Parsed = tuple[NDArray[Any], NDArray[np.bool_]]

_SPACE = b" \t\n\v\f\r"
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_DECIMAL = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_HEX = re.compile(rb"[+-]?0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?[0-9]+)?", re.IGNORECASE)
_NAMED = re.compile(rb"([+-]?)(inf|infinity|nan(\([0-9a-z_]*\))?)", re.IGNORECASE)
# Halfway between the largest float32 and what would come next.
_OVER_FLOAT32 = float.fromhex("0x1.ffffffp127")


def parse_numbers_twin(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    dtype: np.dtype[Any],
) -> Parsed:
    """Return the numbers written from ``starts`` to ``stops``, and where there was one.

    Args:
        data: The text.
        starts: Where each number begins.
        stops: Where each number ends.
        dtype: int32, int64, float32 or float64.

    Example:
        >>> text = np.frombuffer(b"12,x, -3", np.uint8)
        >>> parse_numbers(text, np.array([0, 3, 5]), np.array([2, 4, 8]), np.dtype("int32"))
        (array([12,  0, -3], dtype=int32), array([ True, False,  True]))
    """
    if len(starts) != len(stops):
        raise ValueError("input and output differ in length")
    if np.any(starts < 0) or np.any(starts > stops) or np.any(stops > len(data)):
        raise ValueError("a text must be inside the data")
    text = data.tobytes()
    parse = _integer if dtype.kind == "i" else _float
    values = np.zeros(len(starts), dtype)
    found = np.zeros(len(starts), np.bool_)
    for number, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        value = parse(text[start:stop].strip(_SPACE), dtype)
        if value is not None:
            values[number], found[number] = value, True
    return values, found


def _integer(text: bytes, dtype: np.dtype[Any]) -> int | None:
    if not _INTEGER.fullmatch(text) or len(text.lstrip(b"+-0")) > 19:
        return None
    value, limits = int(text), np.iinfo(dtype)
    return value if limits.min <= value <= limits.max else None


def _float(text: bytes, dtype: np.dtype[Any]) -> Any:
    if named := _NAMED.fullmatch(text):
        size = math.inf if named[2][:1] in b"iI" else math.nan
        return -size if named[1] == b"-" else size
    if _DECIMAL.fullmatch(text):
        value = float(text)
    elif _HEX.fullmatch(text):
        value = _hex(text)
    else:
        return None
    return value if dtype == np.float64 else _to_float32(value, text)


def _hex(text: bytes) -> float:
    try:
        return float.fromhex(text.decode())
    except OverflowError:
        return -math.inf if text[:1] == b"-" else math.inf


def _to_float32(value: float, text: bytes) -> np.float32:
    """Return the float32 nearest to what is written; ``value`` is the nearest float64."""
    with np.errstate(over="ignore", under="ignore"):
        single = np.float32(value)
        if float(single) == value or not math.isfinite(value):
            return single
        if abs(value) != _OVER_FLOAT32:
            if not np.isfinite(single):
                return single
            other = np.nextafter(single, np.float32(math.copysign(math.inf, value - float(single))))
            if (float(single) + float(other)) / 2 != value:
                return single
        # Rounded twice: the float64 lies exactly between two, what is written may not.
        written = _exact(text)
        if written == Fraction(value):
            return single
        towards = math.inf if written > Fraction(value) else -math.inf
        return np.float32(math.nextafter(value, towards))


def _exact(text: bytes) -> Fraction:
    written = text.decode().lower()
    if "x" not in written:
        return Fraction(written)
    digits, _, power = written.replace("0x", "").partition("p")
    whole, _, part = digits.partition(".")
    return Fraction(int(whole + part, 16)) * Fraction(2) ** (int(power or 0) - 4 * len(part))


def _parse_numbers(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    dtype: np.dtype[Any],
) -> Parsed:
    if dtype.kind == "f":
        parse = native.parse_float32 if dtype == np.float32 else native.parse_float64
        values, found = parse(data, starts, stops)
        return values, found.view(np.bool_)
    limits = np.iinfo(dtype)
    values, found = native.parse_integers(data, starts, stops, int(limits.min), int(limits.max))
    return values.astype(dtype, copy=False), found.view(np.bool_)


parse_numbers = parse_numbers_twin if native is None else _parse_numbers
