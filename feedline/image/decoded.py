"""decoded: the bytes of an image to its pixels, whatever format they have.

TensorFlow's functions for one format take others too: decode_jpeg() decodes a PNG. Which
takes which, and what comes out, is written down here once.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense, Objects
from feedline.errors import BuildError, DecodeError
from feedline.graph.leaf_operation import leaf_operation
from feedline.image import jpeg_pixels
from feedline.image.chain import Source, link
from feedline.image.formats import FORMATS, contents_of, format_of
from feedline.image.jpeg_pixels import JpegSettings
from feedline.leaf_spec import TensorSpec
from feedline.shapes import Shape

__all__ = ["Decoding", "check_channels", "decoded"]

# Which formats a function takes.
_TAKES = {
    "decode_image()": ("jpeg", "png", "gif", "bmp", "webp"),
    "decode_jpeg()": ("jpeg", "png", "gif", "webp"),
    "decode_png()": ("jpeg", "png", "gif", "webp"),
    "decode_gif()": ("jpeg", "png", "gif", "webp"),
    "decode_bmp()": ("bmp", "webp"),
    "decode_webp()": ("jpeg", "png", "webp"),
    "decode_and_crop_jpeg()": ("jpeg",),
}


class Decoding(NamedTuple):
    """What a call asks for."""

    call: str
    channels: int = 0
    dtype: str = "uint8"
    jpeg: JpegSettings = JpegSettings()
    expand_animations: bool = True


def check_channels(call: str, channels: Any) -> int:
    """Return how many channels are asked for, or raise BuildError."""
    if channels is None:
        return 0
    if isinstance(channels, bool) or channels not in (0, 1, 3, 4):
        raise BuildError(f"{call}: channels must be 0, 1, 3 or 4, got {channels!r}.")
    return int(channels)


def _spec(_contents: Any, how: Decoding) -> TensorSpec:
    channels = how.channels or None
    shape: Shape = (None, None, channels)
    if how.call in ("decode_gif()", "decode_webp()"):
        shape = (None, None, None, channels)
    elif how.call == "decode_image()" and how.expand_animations:
        shape = None
    return TensorSpec(shape, how.dtype)


def _columns(column: Any, how: Decoding) -> Sequence[Column]:
    """Decode the images of a whole block: of one size into one array, if all are JPEGs."""
    images = _images(column)
    together = _together(images, how)
    return [Objects([_pixels(data, how) for data in images]) if together is None else together]


def decoded(contents: Any, how: Decoding) -> Any:
    """Return the pixels of an image."""
    # Looking for something to record takes as long as decoding a small image.
    return _pixels(contents, how) if type(contents) is bytes else _recorded(contents, how)


@leaf_operation(spec=_spec, columns=_columns)
def _recorded(contents: Any, how: Decoding) -> NDArray[Any]:
    return _pixels(contents_of(how.call, contents), how)


_recorded.__name__ = "decode_image"


@link(_recorded, "decode_image")
def _source(_contents: Any, how: Decoding) -> Source | None:
    """Let what follows run on each image while it is still in the processor's cache."""
    shape = _spec(None, how).shape
    is_still = shape is not None and len(shape) == 3
    if not is_still:
        return None
    is_usual = how.dtype == "uint8" and how.jpeg.is_usual and "jpeg" in _TAKES[how.call]
    channels = how.channels if is_usual and how.channels in (1, 3) else 0
    return Source(_pixels, how.call.removesuffix("()"), channels)


def _images(column: Any) -> list[Any]:
    """Return the bytes of each image, where they lie."""
    if isinstance(column, Bytes):
        view = np.ascontiguousarray(column.data).data
        ends = column.offsets.tolist()
        return [view[a:b] for a, b in pairwise(ends)]
    if isinstance(column, Objects) and set(map(type, column.items)) == {bytes}:
        return column.items
    raise NotImplementedError  # one by one, with an error for what is none


def _together(images: list[Any], how: Decoding) -> Dense | None:
    if how.dtype != "uint8" or len(images) < 2 or "jpeg" not in _TAKES[how.call]:
        return None
    if how.call == "decode_gif()" or any(bytes(data[:3]) != b"\xff\xd8\xff" for data in images):
        return None
    headers = [jpeg_pixels.header(how.call, data) for data in images]
    if how.channels == 4 or len(set(headers)) > 1:
        return None
    first = headers[0]
    shape = *jpeg_pixels.size_of(first, how.jpeg), how.channels or first.channels
    made = np.empty((len(images), *shape), np.uint8)
    for data, place in zip(images, made, strict=True):
        jpeg_pixels.decode(how.call, data, how.channels, how.jpeg, first, place)
    return Dense(made)


def _pixels(data: Any, how: Decoding) -> NDArray[Any]:
    call = how.call
    kind = format_of(call, data)
    if kind not in _TAKES[call]:
        raise DecodeError(_not_taken(call, kind))
    if kind == "jpeg":
        pixels = jpeg_pixels.decode(call, data, how.channels, how.jpeg)
        return _widened(_for_gif(how, pixels), how.dtype)
    if kind == "png":
        return _for_gif(how, _png(data, how))
    if kind == "gif":
        return _gif(data, how)
    if kind == "webp":
        return _webp(data, how)
    return _widened(_decoder("bmp").decode(call, data, how.channels), how.dtype)


def _not_taken(call: str, kind: str) -> str:
    text = f"{call}: the bytes are a {FORMATS[kind]}, which it does not decode."
    return f"{text} No function here does." if kind == "jxl" else f"{text} Use decode_image()."


def _decoder(kind: str) -> Any:
    """Return the module that decodes a format: Pillow is loaded for the first that needs it."""
    return import_module(f"feedline.image.{kind}_pixels")


def _png(data: Any, how: Decoding) -> NDArray[Any]:
    pixels: NDArray[Any] = _decoder("png").decode(
        how.call, data, how.channels, how.dtype != "uint8"
    )
    return pixels * np.float32(1 / 65535) if how.dtype == "float32" else pixels


def _for_gif(how: Decoding, pixels: NDArray[Any]) -> NDArray[Any]:
    """Make a still image one frame, for a function that gives frames."""
    return pixels[None] if how.call == "decode_gif()" else pixels


def _gif(data: Any, how: Decoding) -> NDArray[Any]:
    call = how.call
    if how.channels not in (0, 3):
        raise BuildError(
            f"{call}: a GIF has 3 channels: channels must be 0 or 3, got {how.channels}."
        )
    frames: NDArray[Any] = _decoder("gif").decode(call, data, not how.expand_animations)
    if call in ("decode_jpeg()", "decode_png()") and len(frames) > 1:
        raise DecodeError(
            f"{call}: the GIF has {len(frames)} frames, and one is wanted. Use decode_gif() or "
            "decode_image()."
        )
    moves = call == "decode_gif()" or (call == "decode_image()" and how.expand_animations)
    return _widened(frames if moves else frames[0], how.dtype)


def _webp(data: Any, how: Decoding) -> NDArray[Any]:
    if how.dtype != "uint8":
        raise BuildError(f"{how.call}: a WebP has dtype uint8: dtype cannot be {how.dtype}.")
    still = not how.expand_animations
    frames: NDArray[Any] = _decoder("webp").decode(how.call, data, how.channels, still)
    return frames[0] if still else frames


def _widened(pixels: NDArray[Any], dtype: str) -> NDArray[Any]:
    if dtype == "uint16":
        return pixels.astype(np.uint16) * np.uint16(256)
    return pixels * np.float32(1 / 255) if dtype == "float32" else pixels
