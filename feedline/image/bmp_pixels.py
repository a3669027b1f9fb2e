"""bmp_pixels: BMP to pixels, as TensorFlow reads it: 8, 24 or 32 bits, packed in no way.

A palette is not looked at: 8 bits are taken for shades of grey.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.image.formats import check_pixels, damaged

__all__ = ["decode"]


def decode(call: str, data: Any, channels: int) -> NDArray[np.uint8]:
    """Return the pixels of a BMP.

    Args:
        call: For errors.
        data: Its bytes.
        channels: 3 or 4; 0 for as many as it has.
    """
    if channels == 1:
        raise BuildError(
            f"{call}: a BMP cannot be made grey: channels must be 0, 3 or 4, got 1. "
            "Use image.rgb_to_grayscale()."
        )
    if len(data) < 32:
        raise damaged(call, "bmp", data, "it is shorter than its header")
    (start,) = struct.unpack_from("<i", data, 10)
    width, height = struct.unpack_from("<ii", data, 18)
    (bits,) = struct.unpack_from("<H", data, 28)
    own = bits // 8
    if own not in (1, 3, 4):
        raise damaged(call, "bmp", data, f"8, 24 or 32 bits for a pixel are known, it has {bits}")
    if width <= 0 or height == 0 or start < 0:
        size = f"{abs(height)} x {width}"
        raise damaged(call, "bmp", data, f"it says that it is {size} and begins at {start}")
    rows = abs(height)
    check_pixels(call, "bmp", rows, width)
    row = (own * width + 3) // 4 * 4
    if start + row * rows != len(data):
        raise damaged(call, "bmp", data, f"by its header it should have {start + row * rows}")
    stored = np.frombuffer(data, np.uint8, row * rows, start).reshape(rows, row)
    pixels = stored[:, : own * width].reshape(rows, width, own)
    if height > 0:  # the lowest row is the first
        pixels = pixels[::-1]
    return _with_channels(pixels, channels or own)


def _with_channels(pixels: NDArray[np.uint8], channels: int) -> NDArray[np.uint8]:
    made = np.empty((*pixels.shape[:2], channels), np.uint8)
    own = pixels.shape[-1]
    if own == 1 or channels == 1:
        made[..., :3] = pixels
    else:
        made[..., :3] = pixels[..., 2::-1]
    if channels == 4:
        made[..., 3] = pixels[..., 3] if own == 4 else 255
    return made
