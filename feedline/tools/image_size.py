"""image_size: how large an image is, read off its header."""

from __future__ import annotations

import struct
from typing import NamedTuple

__all__ = ["ImageSize", "image_size"]

# Markers of JPEG that begin a frame, and so tell the size; the others between them do not.
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_ALONE = {0x01, *range(0xD0, 0xD9)}


class ImageSize(NamedTuple):
    """Format, width and height."""

    format: str
    width: int
    height: int


def image_size(data: bytes) -> ImageSize | None:
    r"""Return what the header of a JPEG, PNG, GIF, BMP or WebP image says, None if it is none.

    Example:
        >>> image_size(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480))
        ImageSize(format='PNG', width=640, height=480)
    """
    try:
        if data.startswith(b"\xff\xd8\xff"):
            return _jpeg(data)
        if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
            return ImageSize("PNG", *struct.unpack_from(">II", data, 16))
        if data.startswith((b"GIF87a", b"GIF89a")):
            return ImageSize("GIF", *struct.unpack_from("<HH", data, 6))
        if data.startswith(b"BM") and struct.unpack_from("<I", data, 2)[0] <= len(data):
            width, height = struct.unpack_from("<ii", data, 18)
            return ImageSize("BMP", abs(width), abs(height))
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
    except struct.error:  # shorter than its header
        return None
    return None


def _jpeg(data: bytes) -> ImageSize | None:
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:  # filled up
            at += 1
        elif marker in _ALONE:
            at += 2
        elif marker in _FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return ImageSize("JPEG", width, height)
        else:
            at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return None


def _webp(data: bytes) -> ImageSize | None:
    kind = data[12:16]
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return ImageSize("WebP", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return ImageSize("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8X" and len(data) >= 30:
        width = int.from_bytes(data[24:27], "little") + 1
        return ImageSize("WebP", width, int.from_bytes(data[27:30], "little") + 1)
    return None
