"""color: the hue and saturation of pixels changed, with TensorFlow's roundings.

Pixels are bytes, which stand for 0 to 1, or float32. Choices are written in one way for both
twins, so that they agree on what is no number too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = [
    "adjusted_hue",
    "adjusted_hue_twin",
    "adjusted_saturation",
    "adjusted_saturation_twin",
]

Pixels = NDArray[Any]
Floats = NDArray[np.float32]


# ---- hue -----------------------------------------------------------------------------


def adjusted_hue_twin(pixels: Pixels, deltas: Floats) -> Pixels:
    """Return RGB pixels [n, count, 3] with ``deltas[n]`` full turns, -1 to 1, added to their hue.

    Example:
        >>> adjusted_hue(np.array([[[255, 0, 0]]], np.uint8), np.array([0.5], np.float32))
        array([[[  0, 255, 255]]], dtype=uint8)
    """
    if not ((deltas >= -1) & (deltas <= 1)).all():
        raise ValueError("a hue is turned by at most one turn")
    return _on_floats(_turned, pixels, deltas)


def _turned(pixels: Floats, deltas: Floats) -> Floats:
    r, g, b = (pixels[..., channel] for channel in range(3))
    low, high = _smaller(r, g), _larger(r, g)
    top, bottom = _larger(high, b), _smaller(b, low)
    middle = _larger(low, _smaller(high, b))
    span = top - bottom
    part = (middle - bottom) / span
    above = np.where(b < r, 1, np.where(b > g, 3, 2))
    below = np.where(b < g, 0, np.where(b > r, 4, 5))
    begin = np.where(r < g, above, below)
    hue = begin.astype(np.float32) + np.where(begin % 2 == 1, 1 - part, part)
    hue = np.where(span == 0, np.float32(0), hue) + deltas[:, None] * np.float32(6)
    hue = np.where(hue < 0, hue + np.float32(6), hue)
    for _ in range(2):
        hue = np.where(hue >= 6, hue - np.float32(6), hue)
    sixth = _sixth_of(hue, 5)
    rest = hue - sixth.astype(np.float32)
    between = bottom + np.where(sixth % 2 == 1, 1 - rest, rest) * span
    return _put_together(sixth, top, between, bottom)


# ---- saturation -------------------------------------------------------------------------


def adjusted_saturation_twin(pixels: Pixels, factors: Floats) -> Pixels:
    """Return RGB pixels [n, count, 3] with their saturation multiplied by ``factors[n]``.

    Example:
        >>> adjusted_saturation(np.array([[[200, 100, 100]]], np.uint8), np.float32([2]))
        array([[[200,   0,   0]]], dtype=uint8)
    """
    return _on_floats(_saturated, pixels, factors)


def _saturated(pixels: Floats, factors: Floats) -> Floats:
    r, g, b = (pixels[..., channel] for channel in range(3))
    top = _larger(_larger(r, g), b)
    span = top - _smaller(b, _smaller(r, g))
    found = np.where(top > 0, span / top, np.float32(0))
    norm = np.float32(1) / (np.float32(6) * span)
    from_green = ((norm * (b - r)).astype(np.float64) + 2.0 / 6.0).astype(np.float32)
    from_blue = ((norm * (r - g)).astype(np.float64) + 4.0 / 6.0).astype(np.float32)
    hue = np.where(r == top, norm * (g - b), np.where(g == top, from_green, from_blue))
    hue = np.where(span <= 0, np.float32(0), hue)
    hue = np.where(hue < 0, hue + np.float32(1), hue)
    scaled = found * factors[:, None]
    saturation = _smaller(_larger(np.float32(0), scaled), np.float32(1))
    chroma = saturation * top
    rest = top - chroma
    turned = hue * np.float32(6)
    # A hue that was rounded up to a full turn is in none of the six.
    sixth = _sixth_of(turned, 6)
    phase = np.where(turned <= 0, turned + np.float32(2), turned)
    for _ in range(3):
        phase = np.where(phase >= 2, phase - np.float32(2), phase)
    between = chroma * (1 - np.abs(phase - 1))
    made = _put_together(sixth, chroma, between, np.zeros_like(chroma))
    made += rest[..., None]
    return made


# ---- both -----------------------------------------------------------------------------------


def _on_floats(change: Callable[..., Floats], pixels: Pixels, parameters: Floats) -> Pixels:
    if len(parameters) != len(pixels) or pixels.shape[2:] != (3,):
        raise ValueError("there must be a parameter for each image, and three channels")
    with np.errstate(all="ignore"):
        if pixels.dtype != np.uint8:
            return change(pixels, parameters)
        made = change(pixels.astype(np.float32) * np.float32(1.0 / 255.0), parameters)
        return (made * np.float32(255.5)).astype(np.uint8)


def _smaller(x: Any, y: Any) -> Any:
    return np.where(x < y, x, y)


def _larger(x: Any, y: Any) -> Any:
    return np.where(x < y, y, x)


def _sixth_of(hue: Floats, otherwise: int) -> NDArray[np.int32]:
    known = (hue >= 0) & (hue < 6)
    whole = np.where(known, hue, np.float32(0)).astype(np.int32)
    return np.where(known, whole, np.int32(otherwise))


# Which of the largest (0), the middle (1) and the smallest (2) number each channel is, by the
# sixth of the turn; the last row is for none of them.
_ORDERS = np.array([[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 2, 2]])


def _put_together(sixth: NDArray[np.int32], top: Any, middle: Any, bottom: Any) -> Floats:
    made = np.empty((*sixth.shape, 3), np.float32)
    for channel in range(3):
        order = _ORDERS[:, channel][sixth]
        made[..., channel] = np.choose(order, (top, middle, bottom))
    return made


def _adjusted_hue(pixels: Pixels, deltas: Floats) -> Pixels:
    run = native.adjust_hue_uint8 if pixels.dtype == np.uint8 else native.adjust_hue_float32
    made: Pixels = run(pixels.reshape(-1), deltas)
    return made.reshape(pixels.shape)


def _adjusted_saturation(pixels: Pixels, factors: Floats) -> Pixels:
    bytewise = pixels.dtype == np.uint8
    run = native.adjust_saturation_uint8 if bytewise else native.adjust_saturation_float32
    made: Pixels = run(pixels.reshape(-1), factors)
    return made.reshape(pixels.shape)


adjusted_hue = adjusted_hue_twin if native is None else _adjusted_hue
adjusted_saturation = adjusted_saturation_twin if native is None else _adjusted_saturation
