"""taps: which numbers of an axis each number of the resized axis is made of.

The roundings are TensorFlow's: every operation on float32 is one of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["METHODS", "Lerps", "Taps", "area_scale", "lerps_of", "nearest_places", "taps_of"]

METHODS = (
    *("nearest", "bilinear", "bicubic", "area", "lanczos3", "lanczos5", "gaussian"),
    *("mitchellcubic", "triangle", "keyscubic"),
)
"""The methods by the numbers that the compiled kernel knows them by.

The last two are what bilinear and bicubic become when they must not alias.
"""

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

_F = np.float32
_HALF = _F(0.5)
_SMALLEST_SUM = _F(1000) * np.finfo(_F).tiny
_RADIUS = {
    **{"lanczos3": 3.0, "lanczos5": 5.0, "gaussian": 1.5},
    **{"mitchellcubic": 2.0, "triangle": 1.0, "keyscubic": 2.0},
}
_TABLE_SIZE = 1024


class Lerps(NamedTuple):
    """Number i is ``lower + (upper - lower) * part`` of the two numbers at these places."""

    lower: Places
    upper: Places
    part: Floats


class Taps(NamedTuple):
    """Number i is the sum of the numbers at ``places[i]``, each times its weight."""

    places: Places
    weights: Floats


def nearest_places(length: int, out: int) -> Places:
    """Return which number of an axis each of the resized one is.

    Example:
        >>> nearest_places(4, 2).tolist()
        [1, 3]
    """
    at = (np.arange(out, dtype=_F) + _HALF) * _scale(length, out)
    places: Places = np.clip(np.floor(at).astype(np.int64), 0, length - 1)
    return places


def lerps_of(length: int, out: int) -> Lerps:
    """Return between which numbers each of the resized axis lies, and where."""
    at = _half_pixels(length, out)
    low = np.floor(at)
    lower = np.clip(low.astype(np.int64), 0, length - 1)
    upper = np.clip(np.ceil(at).astype(np.int64), 0, length - 1)
    return Lerps(lower, upper, at - low)


@lru_cache(maxsize=64)
def taps_of(method: str, length: int, out: int, antialias: bool) -> Taps:
    """Return the weights of every method but nearest and bilinear."""
    if method == "bicubic":
        return _cubic_taps(length, out)
    if method == "area":
        return _area_taps(length, out)
    return _kernel_taps(method, length, out, antialias)


def area_scale(lengths: tuple[int, int], outs: tuple[int, int]) -> np.float32:
    """Return what the sums of method area are multiplied with."""
    area = _scale(lengths[0], outs[0]) * _scale(lengths[1], outs[1])
    return _F(1.0 / float(area))


def _scale(length: int, out: int) -> np.float32:
    return _F(_F(length) / _F(out))


def _half_pixels(length: int, out: int) -> Floats:
    made: Floats = (np.arange(out, dtype=_F) + _HALF) * _scale(length, out) - _HALF
    return made


# ---- a kernel laid over the axis, made wider where numbers are left out ---------------


def _kernel_taps(method: str, length: int, out: int, antialias: bool) -> Taps:
    inverse = _F(1.0 / float(_F(out) / _F(length)))
    wider = max(inverse, _F(1)) if antialias else _F(1)
    reach = _F(_RADIUS[method]) * wider
    size = min(2 * math.ceil(reach) + 1, length)
    centres = (np.arange(out, dtype=_F) + _HALF) * inverse
    start = np.clip(np.ceil(centres - reach - _HALF).astype(np.int64), 0, length - 1)
    stop = np.clip(np.floor(centres + reach - _HALF).astype(np.int64), 0, length - 1) + 1
    places = start[:, None] + np.arange(size)
    used = (places < stop[:, None]) & (centres <= _F(length))[:, None]
    distance = np.abs((places.astype(_F) + _HALF - centres[:, None]) * (_F(1) / wider))
    weights = np.where(used, _weights(method, distance), _F(0))
    total = _sum(weights)
    is_something = np.abs(total) >= _SMALLEST_SUM
    part = np.divide(_F(1), total, where=is_something, out=np.zeros_like(total))
    return Taps(np.minimum(places, length - 1), weights * part[:, None])


def _sum(weights: Floats) -> Floats:
    """Return sums over the last axis, from left to right."""
    total: Floats = np.zeros(weights.shape[:-1], _F)
    for column in range(weights.shape[-1]):
        total = total + weights[..., column]
    return total


def _weights(method: str, x: Floats) -> Floats:
    if method in ("lanczos3", "lanczos5"):
        return _lanczos(x, _F(_RADIUS[method]))
    if method == "gaussian":
        # In double precision and by the same library as the compiled kernel.
        found = _each(math.exp, (-x * x).astype(np.float64) / 0.5)
        return np.where(x >= _F(1.5), _F(0), found)
    if method == "triangle":
        return np.where(x < 1, _F(1) - x, _F(0))
    if method == "keyscubic":
        far = ((_F(-0.5) * x + _F(2.5)) * x - _F(4)) * x + _F(2)
        near = ((_F(1.5) * x - _F(2.5)) * x) * x + _F(1)
    else:
        far = ((_F(-7) / _F(18)) * x + _F(2)) * x - _F(10) / _F(3)
        far = far * x + _F(16) / _F(9)
        near = (((_F(7) / _F(6)) * x - _F(2)) * x) * x + _F(8) / _F(9)
    return np.where(x >= 2, _F(0), np.where(x >= 1, far, near))


def _lanczos(x: Floats, radius: np.float32) -> Floats:
    pi = _F(3.14159265359)
    near = x <= _F(1e-3)
    safe = np.where(near, _F(1), x)
    first, second = _each(math.sin, pi * safe), _each(math.sin, pi * safe / radius)
    found = radius * first * second / (pi * pi * safe * safe)
    return np.where(x > radius, _F(0), np.where(near, _F(1), found))


def _each(function: Callable[[float], float], x: NDArray[np.floating]) -> Floats:
    made = np.frompyfunc(function, 1, 1)(x.astype(np.float64))
    return np.asarray(made, np.float64).astype(_F)


# ---- bicubic: four numbers, with weights out of a table -------------------------------


@cache
def _cubic_table() -> Floats:
    a = -0.5
    x = np.arange(_TABLE_SIZE + 1) / _TABLE_SIZE
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    x = x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.stack([near, far]).astype(_F)


def _cubic_taps(length: int, out: int) -> Taps:
    near, far = _cubic_table()
    at = _half_pixels(length, out)
    low = np.floor(at)
    place = np.rint((at - low) * _F(_TABLE_SIZE)).astype(np.int64)
    rest = _TABLE_SIZE - place
    weights = np.stack([far[place], near[place], near[rest], far[rest]], axis=1)
    places = low.astype(np.int64)[:, None] + np.arange(-1, 3)
    weights = np.where((places >= 0) & (places < length), weights, _F(0))
    total = _sum(weights)
    is_something = np.abs(total) >= _SMALLEST_SUM
    part = np.divide(_F(1), total, where=is_something, out=np.ones_like(total))
    return Taps(np.clip(places, 0, length - 1), weights * part[:, None])


# ---- area: how much of each number lies inside ----------------------------------------


def _area_taps(length: int, out: int) -> Taps:
    scale = _scale(length, out)
    edges = np.arange(out + 1, dtype=_F) * scale
    start, stop = edges[:-1, None], edges[1:, None]
    first = np.floor(start).astype(np.int64)
    last = np.maximum(np.ceil(stop).astype(np.int64), first + 1)
    places = first + np.arange(int((last - first).max()))
    low, high = places.astype(_F), (places + 1).astype(_F)
    shares = np.where(
        low < start,
        np.where(high > stop, scale, high - start),
        np.where(high > stop, stop - low, _F(1)),
    )
    weights = np.where(places < last, shares, _F(0)).astype(_F)
    return Taps(np.clip(places, 0, length - 1), weights)
