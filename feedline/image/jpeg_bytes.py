"""jpeg_bytes: pixels to JPEG, through Pillow, which can set everything TensorFlow can."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

__all__ = ["JpegWriting", "jpeg_bytes"]


class JpegWriting(NamedTuple):
    """How a JPEG is to be written."""

    quality: int = 95
    progressive: bool = False
    optimize_size: bool = False
    chroma_downsampling: bool = True
    per_centimetre: bool = False
    density: tuple[int, int] = (300, 300)
    xmp: bytes = b""


def jpeg_bytes(image: NDArray[np.uint8], how: JpegWriting) -> bytes:
    """Return the bytes of an image with 1 or 3 channels."""
    pixels = Image.fromarray(np.ascontiguousarray(image[..., 0] if image.shape[-1] == 1 else image))
    settings: dict[str, Any] = {
        "quality": how.quality,
        "progressive": how.progressive,
        "optimize": how.optimize_size,
        "dpi": how.density,
    }
    if image.shape[-1] == 3:
        settings["subsampling"] = "4:2:0" if how.chroma_downsampling else "4:4:4"
    if how.xmp:
        settings["xmp"] = how.xmp
    file = io.BytesIO()
    pixels.save(file, "JPEG", **settings)
    data = bytearray(file.getbuffer())
    if data[6:11] == b"JFIF\0":  # Pillow writes inches alone, and no zeros
        data[13] = 2 if how.per_centimetre else 1
        data[14:18] = b"".join(one.to_bytes(2, "big") for one in how.density)
    return bytes(data)
