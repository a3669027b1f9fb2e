"""gif_pixels: GIF to frames, as TensorFlow puts them together.

Every frame is drawn over the one before it, whatever it says of its disposal; the canvas is
as large as the largest frame. Pillow unpacks the frames.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from feedline.image.formats import check_pixels, damaged

__all__ = ["decode"]


class _Frame(NamedTuple):
    left: int
    top: int
    width: int
    height: int
    interlaced: bool
    palette: bytes
    transparent: int | None
    code_size: int
    packed: bytes


class _DamageError(Exception):
    """What is wrong with a file."""


def decode(call: str, data: Any, first_only: bool = False) -> NDArray[np.uint8]:
    """Return the frames of a GIF along a first axis.

    Args:
        call: For errors.
        data: Its bytes.
        first_only: Whether one frame is enough.
    """
    whole = bytes(data)
    try:
        frames = list(_frames(whole))
        if not frames:
            raise _DamageError("it has no image in it")
        height = max(frame.height for frame in frames)
        width = max(frame.width for frame in frames)
        if first_only:
            del frames[1:]
        check_pixels(call, "gif", height, width, len(frames))
        made = np.zeros((len(frames), height, width, 3), np.uint8)
        for number, frame in enumerate(frames):
            if number:
                made[number] = made[number - 1]
            _draw(made[number], frame, number)
    except (_DamageError, struct.error, IndexError) as error:
        raise damaged(call, "gif", data, _reason(error)) from None
    return made


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, _DamageError) else "it is cut short"


def _draw(canvas: NDArray[np.uint8], frame: _Frame, number: int) -> None:
    """Draw a frame, as far as it lies on the canvas."""
    if not frame.palette:
        raise _DamageError(f"frame {number} has no palette")
    size = frame.width, frame.height
    try:
        image = Image.frombytes(
            "P", size, frame.packed, "gif", frame.code_size, int(frame.interlaced)
        )
    except Exception as error:
        raise _DamageError(f"frame {number}: {error}") from None
    index = np.asarray(image)[: canvas.shape[0] - frame.top, : canvas.shape[1] - frame.left]
    if not index.size:
        return
    shown = np.ones(index.shape, bool) if frame.transparent is None else index != frame.transparent
    colors = np.frombuffer(frame.palette, np.uint8).reshape(-1, 3)
    if int(index.max(where=shown, initial=0)) >= len(colors):
        raise _DamageError(f"frame {number} uses colours that its palette does not have")
    rows, columns = index.shape
    place = canvas[frame.top : frame.top + rows, frame.left : frame.left + columns]
    place[shown] = colors[index[shown]]


def _frames(data: bytes) -> Iterator[_Frame]:
    """Go through the parts of a file; those that are no frames are passed over."""
    flags = data[10]
    shared, at = _palette(data, 13, flags)
    transparent: int | None = None
    while at < len(data):
        kind = data[at]
        if kind == 0x3B:
            return
        if kind == 0x21:
            if data[at + 1] == 0xF9 and data[at + 2] >= 4:
                transparent = data[at + 6] if data[at + 3] & 1 else None
            at = _after_blocks(data, at + 2)
        elif kind == 0x2C:
            left, top, width, height, flags = struct.unpack_from("<HHHHB", data, at + 1)
            own, at = _palette(data, at + 10, flags)
            if not (width and height):
                raise _DamageError(f"a frame is {height} x {width}")
            end = _after_blocks(data, at + 1)
            palette, code_size = own or shared, data[at]
            packed = data[at + 1 : end]
            interlaced = bool(flags & 0x40)
            yield _Frame(
                left, top, width, height, interlaced, palette, transparent, code_size, packed
            )
            at, transparent = end, None
        else:
            raise _DamageError(f"there is no part of kind {kind:#04x}")


def _palette(data: bytes, at: int, flags: int) -> tuple[bytes, int]:
    if not flags & 0x80:
        return b"", at
    end = at + (6 << (flags & 7))
    if end > len(data):
        raise _DamageError("it is cut short")
    return data[at:end], end


def _after_blocks(data: bytes, at: int) -> int:
    while data[at]:
        at += data[at] + 1
    return at + 1
