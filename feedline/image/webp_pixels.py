"""webp_pixels: WebP to frames, through Pillow."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, WebPImagePlugin

from feedline.errors import BuildError, DecodeError
from feedline.image.formats import check_pixels, damaged

__all__ = ["decode"]


def decode(call: str, data: Any, channels: int, first_only: bool = False) -> NDArray[np.uint8]:
    """Return the frames of a WebP along a first axis.

    Args:
        call: For errors.
        data: Its bytes.
        channels: 3 or 4, as many as it has; 0 for as many as it has.
        first_only: Whether one frame is enough.
    """
    if channels == 1:
        raise BuildError(f"{call}: a WebP has 3 or 4 channels: channels must be 0, 3 or 4, got 1.")
    # Before the decoder is made: it allocates as much as the header asks for.
    check_pixels(call, "webp", *_size(call, data))
    try:
        image = WebPImagePlugin.WebPImageFile(io.BytesIO(data))
        count = image.n_frames
    except Image.DecompressionBombError as error:
        raise DecodeError(
            f"{call}: Pillow refuses the WebP: {error} Its limit is PIL.Image.MAX_IMAGE_PIXELS."
        ) from None
    except Exception as error:
        raise damaged(call, "webp", data, error) from None
    own = 4 if count > 1 or image.mode != "RGB" else 3
    if channels not in (0, own):
        raise BuildError(f"{call}: the WebP has {own} channels: channels must be 0 or {own}.")
    taken = 1 if first_only else count
    check_pixels(call, "webp", image.height, image.width, taken)
    made = np.empty((taken, image.height, image.width, own), np.uint8)
    try:
        for number in range(taken):
            image.seek(number)
            made[number] = np.asarray(image if own == 3 else image.convert("RGBA"))
    except Exception as error:
        raise damaged(call, "webp", data, error) from None
    return made


def _size(call: str, data: Any) -> tuple[int, int]:
    """Return the height and width that the header of a WebP tells."""
    head = bytes(data[:30])
    kind = head[12:16]
    if kind == b"VP8X" and len(head) == 30:
        width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8L" and len(head) >= 25:
        (bits,) = struct.unpack_from("<I", head, 21)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 " and len(head) == 30:
        width, height = (both & 0x3FFF for both in struct.unpack_from("<HH", head, 26))
    else:
        raise damaged(call, "webp", data, "it does not begin with a header, or is cut short")
    return height, width
