"""box_muller: normal numbers out of random bits, the way TensorFlow makes them.

Logarithm, sine and cosine are written out in operations that IEEE 754 rounds in one way:
the numbers are the same on every machine, alone and in any block. TensorFlow calls the C
library instead, so its last bits depend on that library.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = [
    "box_muller_float32",
    "box_muller_float32_twin",
    "box_muller_float64",
    "box_muller_float64_twin",
]

_Doubles = NDArray[np.float64]

_TWO_TO_52 = 2.0**52
_MANTISSA = np.uint64((1 << 52) - 1)
_ROOT_HALF = np.uint64(0x3FE6A09E667F3BCD)  # the bits of sqrt(0.5)
# Parts of log(2) and pi / 2, short enough that their multiples below are exact.
_LOG_2 = (float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33"))
_HALF_PI = (
    float.fromhex("0x1.921fb544p+0"),
    float.fromhex("0x1.0b4611a6p-34"),
    float.fromhex("0x1.3198a2e037073p-69"),
)
# Taylor's, without the terms that are added by hand.
_LOG_TERMS = [2.0 / n for n in range(3, 24, 2)]
_SIN_TERMS = [(-1) ** (n // 2) / math.factorial(n) for n in range(3, 18, 2)]
_COS_TERMS = [(-1) ** (n // 2) / math.factorial(n) for n in range(4, 19, 2)]


def box_muller_float32_twin(words: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Return one normal number for each word of an even number of them.

    Example:
        >>> box_muller_float32(np.array([2**21, 2**20, 2**22, 5], np.uint32)).round(3)
        array([1.177, 1.177, 0.   , 1.177], dtype=float32)
    """
    if len(words) % 2:
        raise ValueError("the number of words must be even")
    fractions = (words & np.uint32(0x7FFFFF)).astype(np.float64) * 2.0**-23
    uniform = np.maximum(fractions[0::2], np.float64(np.float32(1e-7)))
    radius = np.sqrt(np.float32(-2) * _log(uniform).astype(np.float32))
    angle = (2 * math.pi * fractions[1::2]).astype(np.float32)
    sin, cos = _sincos(angle.astype(np.float64))
    pairs = (sin.astype(np.float32) * radius, cos.astype(np.float32) * radius)
    return np.stack(pairs, axis=1).reshape(-1)


def box_muller_float64_twin(words: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return two normal numbers for every four words.

    Example:
        >>> box_muller_float64(np.array([2**18, 0, 2**17, 0], np.uint32)).round(3)
        array([1.177, 1.177])
    """
    if len(words) % 4:
        raise ValueError("the number of words must be a multiple of 4")
    halves = words.astype(np.uint64)
    bits = ((halves[0::2] & np.uint64(0xFFFFF)) << np.uint64(32)) | halves[1::2]
    fractions = bits.astype(np.float64) * 2.0**-52
    radius = np.sqrt(-2.0 * _log(np.maximum(fractions[0::2], 1e-7)))
    sin, cos = _sincos(2 * math.pi * fractions[1::2])
    return np.stack((sin * radius, cos * radius), axis=1).reshape(-1)


def _log(u: _Doubles) -> _Doubles:
    """Return the logarithms of numbers in (0, 1), not smaller than 2**-64."""
    shifted = u.view(np.uint64) - _ROOT_HALF + np.uint64(64 << 52)
    exponent = (shifted >> np.uint64(52)).astype(np.float64) - 64.0
    f = ((shifted & _MANTISSA) + _ROOT_HALF).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z, half = s * s, 0.5 * f * f
    rest = z * _polynomial(z, _LOG_TERMS)
    made: _Doubles = exponent * _LOG_2[0] - (
        (half - (s * (half + rest) + exponent * _LOG_2[1])) - f
    )
    return made


def _sincos(angle: _Doubles) -> tuple[_Doubles, _Doubles]:
    """Return sines and cosines of angles in [0, 2 * pi]."""
    turns = (angle * (2 / math.pi) + _TWO_TO_52) - _TWO_TO_52
    quarter = turns.astype(np.int64)
    first, second = angle - turns * _HALF_PI[0], turns * _HALF_PI[1]
    r = first - second
    tail = ((first - r) - second) - turns * _HALF_PI[2]
    z = r * r
    half = 0.5 * z
    top = 1.0 - half
    sin = r + (z * r * _polynomial(z, _SIN_TERMS) + tail * top)
    cos = top + (((1.0 - top) - half) + (z * z * _polynomial(z, _COS_TERMS) - r * tail))
    odd = (quarter & 1).astype(np.bool_)
    sin, cos = np.where(odd, cos, sin), np.where(odd, sin, cos)
    return np.where(quarter & 2, -sin, sin), np.where((quarter + 1) & 2, -cos, cos)


def _polynomial(z: _Doubles, coefficients: Sequence[float]) -> Any:
    total: Any = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = total * z + coefficient
    return total


box_muller_float32 = box_muller_float32_twin if native is None else native.box_muller_float32
box_muller_float64 = box_muller_float64_twin if native is None else native.box_muller_float64
