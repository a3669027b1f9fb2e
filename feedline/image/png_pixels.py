"""png_pixels: PNG to pixels, through Pillow.

Pillow inflates and unfilters. What becomes of palettes, alpha, 16 bits and grey is done here,
as libpng does it for TensorFlow, and so are the checks of sizes and checksums.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from feedline.image.formats import check_pixels, damaged

__all__ = ["decode"]

_GRAY, _RGB, _PALETTE, _GRAY_ALPHA, _RGBA = 0, 2, 3, 4, 6
_SAMPLES = {_GRAY: 1, _RGB: 3, _PALETTE: 1, _GRAY_ALPHA: 2, _RGBA: 4}
_DEPTHS = {
    _GRAY: (1, 2, 4, 8, 16),
    _RGB: (8, 16),
    _PALETTE: (1, 2, 4, 8),
    _GRAY_ALPHA: (8, 16),
    _RGBA: (8, 16),
}


class _Header(NamedTuple):
    width: int
    height: int
    depth: int
    color: int
    interlaced: bool


class _Found(NamedTuple):
    header: _Header
    palette: bytes
    transparent: bytes | None
    pixels: bytes


def decode(
    call: str, data: Any, channels: int, wide: bool
) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """Return the pixels of a PNG.

    Args:
        call: For errors.
        data: Its bytes.
        channels: 1, 3 or 4; 0 for as many as it has.
        wide: Whether the numbers are to have 16 bits, or 8.
    """
    found = _chunks(call, data)
    header = found.header
    channels = channels or _channels_of(found)
    deep = header.depth == 16
    # Grey is made of all the bits there are, and so is what is transparent found.
    whole = deep and (wide or channels < 3 or found.transparent is not None)
    samples = _samples(call, data, found, whole)
    alpha = _alpha(found, samples)
    if header.color == _PALETTE:
        samples = _looked_up(found.palette, samples[..., 0])
    elif header.depth < 8:
        samples = samples * np.uint8(255 // ((1 << header.depth) - 1))
    colors = samples[..., : samples.shape[-1] - (header.color in (_GRAY_ALPHA, _RGBA))]
    colors = _with_colors(colors, 1 if channels < 3 else 3)
    if channels % 2 == 0:
        colors = np.concatenate([colors, alpha], axis=2)
    if whole and not wide:
        colors = (colors >> 8).astype(np.uint8)
    pixels: NDArray[Any] = np.ascontiguousarray(colors)
    return pixels.astype(np.uint16) * np.uint16(257) if wide and not deep else pixels


def _channels_of(found: _Found) -> int:
    if found.header.color == _PALETTE:
        return 3 if found.transparent is None else 4
    return _SAMPLES[found.header.color]


def _alpha(found: _Found, samples: NDArray[Any]) -> NDArray[Any]:
    """Return how opaque each pixel is."""
    header, transparent = found.header, found.transparent
    if header.color in (_GRAY_ALPHA, _RGBA):
        return samples[..., -1:]
    if transparent is None:
        # Of few bits the largest number is small, and so is TensorFlow's idea of opaque.
        opaque = min((1 << header.depth) - 1, np.iinfo(samples.dtype).max)
        return np.full((*samples.shape[:2], 1), opaque, samples.dtype)
    if header.color == _PALETTE:
        table = np.full(256, 255, np.uint8)
        table[: len(transparent)] = np.frombuffer(transparent, np.uint8)
        opacity: NDArray[Any] = table[samples]
        return opacity
    key = np.array(struct.unpack(f">{samples.shape[-1]}H", transparent)) % (1 << header.depth)
    hidden = (samples == key).all(axis=2, keepdims=True)
    return np.where(hidden, 0, np.iinfo(samples.dtype).max).astype(samples.dtype)


def _looked_up(palette: bytes, index: NDArray[Any]) -> NDArray[np.uint8]:
    table = np.zeros((256, 3), np.uint8)
    table.reshape(-1)[: len(palette)] = np.frombuffer(palette, np.uint8)
    colors: NDArray[np.uint8] = table[index]
    return colors


def _with_colors(colors: NDArray[Any], wanted: int) -> NDArray[Any]:
    if colors.shape[-1] == wanted:
        return colors
    if wanted == 3:
        return np.repeat(colors, 3, axis=2)
    # libpng's weights, in 1/32768.
    wide = colors.astype(np.uint32)
    gray = wide[..., :1] * 9797 + wide[..., 1:2] * 19234 + wide[..., 2:] * 3737
    half = 0 if colors.dtype == np.uint8 else 1 << 14
    return ((gray + np.uint32(half)) >> 15).astype(colors.dtype)


# ---- what Pillow does -----------------------------------------------------------------


# Modes of Pillow whose pixels have as many bytes as those of the PNG, so that it unfilters
# them rightly, and that keep every bit: numbers of 16 bits come as two of 8.
_MODES = {
    (_GRAY, 1): ("P", "P;1"),
    (_GRAY, 2): ("P", "P;2"),
    (_GRAY, 4): ("P", "P;4"),
    (_GRAY, 8): ("L", "L"),
    (_GRAY, 16): ("LA", "LA"),
    (_RGB, 8): ("RGB", "RGB"),
    (_RGB, 16): ("RGB", "RGB;16"),
    (_PALETTE, 1): ("P", "P;1"),
    (_PALETTE, 2): ("P", "P;2"),
    (_PALETTE, 4): ("P", "P;4"),
    (_PALETTE, 8): ("P", "P"),
    (_GRAY_ALPHA, 8): ("LA", "LA"),
    (_GRAY_ALPHA, 16): ("RGBA", "RGBA"),
    (_RGBA, 8): ("RGBA", "RGBA"),
    (_RGBA, 16): ("RGBA", "RGBA;16"),
}


def _samples(call: str, data: Any, found: _Found, wide: bool) -> NDArray[Any]:
    """Return the numbers as they are stored: the higher halves of 16 bits, or both if wide."""
    mode, raw = _MODES[found.header.color, found.header.depth]
    if not raw.endswith("16"):
        pixels = _unpacked(call, data, found, mode, raw)
        if found.header.depth < 16:
            return pixels
        halves: NDArray[Any] = pixels.view(">u2").astype(np.uint16) if wide else pixels[..., ::2]
        return halves
    # Pillow keeps the higher byte of each; taken for little-endian, the lower one is higher.
    high = _unpacked(call, data, found, mode, f"{raw}B")
    if not wide:
        return high
    low = _unpacked(call, data, found, mode, f"{raw}L")
    both: NDArray[Any] = high.astype(np.uint16) << 8 | low
    return both


def _unpacked(call: str, data: Any, found: _Found, mode: str, raw: str) -> NDArray[Any]:
    header = found.header
    size = header.width, header.height
    try:
        image = Image.frombytes(mode, size, found.pixels, "zip", raw, int(header.interlaced))
    except Exception as error:
        raise damaged(call, "png", data, error) from None
    return np.asarray(image).reshape(header.height, header.width, -1)


# ---- what stands before the pixels ------------------------------------------------------


def _chunks(call: str, data: Any) -> _Found:
    """Return the parts of a file, and check that none is damaged."""
    whole = bytes(data)
    header: _Header | None = None
    palette, transparent = b"", None
    pixels: list[bytes] = []
    for kind, content in _each_chunk(call, whole):
        if header is None:
            header = _header(call, whole, kind, content)
        elif kind == b"PLTE" and not pixels:
            palette = content
        elif kind == b"tRNS" and not pixels and _fits(header, palette, content):
            transparent = content
        elif kind == b"IDAT":
            pixels.append(content)
        elif kind == b"IEND" and pixels:
            break
    else:
        raise damaged(call, "png", data, "it is cut short")
    if header.color == _PALETTE and not palette:
        raise damaged(call, "png", data, "it has no palette")
    joined = b"".join(pixels)
    bits = header.depth * _SAMPLES[header.color]
    # No stream can be inflated to more than about a thousand times its length.
    if header.height * (header.width * bits // 8) > 1100 * len(joined) + 1024:
        raise damaged(call, "png", data, "it has far too few bytes for its size")
    return _Found(header, palette[:768], transparent, joined)


def _each_chunk(call: str, whole: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at + 12 <= len(whole):
        length = int.from_bytes(whole[at : at + 4], "big")
        kind = whole[at + 4 : at + 8]
        end = at + 8 + length
        if end + 4 > len(whole):
            return
        if zlib.crc32(whole[at + 4 : end]) == int.from_bytes(whole[end : end + 4], "big"):
            yield kind, whole[at + 8 : end]
        elif not kind[0] & 0x20:  # what can be done without is
            raise damaged(call, "png", whole, f"the checksum of its part {kind!r} is wrong")
        at = end + 4


def _header(call: str, whole: bytes, kind: bytes, content: bytes) -> _Header:
    if kind != b"IHDR" or len(content) != 13:
        raise damaged(call, "png", whole, "it does not begin with its header")
    width, height, depth, color, packing, filtering, interlaced = struct.unpack(">IIBBBBB", content)
    known = depth in _DEPTHS.get(color, ()) and packing == filtering == 0 and interlaced < 2
    if not (known and 0 < width < 1 << 31 and 0 < height < 1 << 31):
        raise damaged(call, "png", whole, f"its header cannot be: {content.hex(' ')}")
    check_pixels(call, "png", height, width)
    return _Header(width, height, depth, color, bool(interlaced))


def _fits(header: _Header, palette: bytes, transparent: bytes) -> bool:
    if header.color == _PALETTE:
        return 0 < len(transparent) <= len(palette) // 3
    return len(transparent) == {_GRAY: 2, _RGB: 6}.get(header.color)
