"""formats: which format the bytes of an image have, and what is refused before any is decoded."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError, DecodeError
from feedline.leaf import as_leaf, describe_leaf
from feedline.limits import max_image_pixels

__all__ = ["FORMATS", "check_pixels", "contents_of", "damaged", "format_of"]

FORMATS = {
    "jpeg": "JPEG",
    "png": "PNG",
    "gif": "GIF",
    "bmp": "BMP",
    "webp": "WebP",
    "jxl": "JPEG XL",
}
"""What the formats are called."""

_BEGINNINGS = (
    ("jpeg", b"\xff\xd8\xff"),
    ("png", b"\x89PNG\r\n\x1a\n"),
    ("gif", b"GIF8"),
    ("bmp", b"BM"),
    ("jxl", b"\xff\x0a"),
    ("jxl", b"\0\0\0\x0cJXL \r\n\x87\n"),
)


def contents_of(call: str, value: Any) -> Any:
    """Return the bytes of one image that a user gave."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return value
    leaf = as_leaf(value)
    if isinstance(leaf, bytes):
        return leaf
    if isinstance(leaf, str):
        return leaf.encode()
    if isinstance(leaf, np.ndarray) and leaf.dtype == object:
        raise BuildError(
            f"{call}: contents must be the bytes of one image, got an array of shape "
            f"{list(leaf.shape)}. Decode one by one, as in Dataset.map()."
        )
    raise BuildTypeError(
        f"{call}: contents must be the bytes of an image, got {describe_leaf(leaf)}."
    )


def format_of(call: str, data: Any) -> str:
    """Return the format that the first bytes tell, or raise DecodeError."""
    head = bytes(data[:12])
    for name, beginning in _BEGINNINGS:
        if head.startswith(beginning):
            return name
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if not head:
        raise DecodeError(f"{call}: there is nothing to decode: contents are 0 bytes long.")
    raise DecodeError(
        f"{call}: the {len(data)} bytes are no image: they begin with {head[:8]!r}, and a JPEG, "
        "PNG, GIF, BMP or WebP begins otherwise."
    )


def damaged(call: str, kind: str, data: Any, why: Any) -> DecodeError:
    """Return the error for an image that its decoder cannot read."""
    reason = str(why).strip().rstrip(".") or type(why).__name__
    return DecodeError(f"{call}: the {FORMATS[kind]} of {len(data)} bytes is damaged: {reason}.")


def check_pixels(call: str, kind: str, height: int, width: int, frames: int = 1) -> None:
    """Refuse an image whose header asks for more memory than is allowed."""
    most = max_image_pixels()
    if height * width * frames <= most:
        return
    many = f"{frames} x " if frames > 1 else ""
    raise DecodeError(
        f"{call}: the {FORMATS[kind]} says that it has {many}{height} x {width} pixels, and at "
        f"most {most} are allowed. If it really is that large, set Options.max_image_pixels."
    )
