"""jpeg_pixels: JPEG to pixels, by a kernel of our own or through libjpeg-turbo.

TensorFlow decodes with the fast integer transform unless it is told otherwise, and so does
this: the values are the same, bit for bit. The kernel knows the most frequent kind of JPEG, and
only such as are in order.
"""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import simplejpeg
from numpy.typing import NDArray

from feedline.errors import BuildError, DecodeError
from feedline.image.formats import check_pixels, damaged
from feedline.kernels.jpeg import decode_jpeg, decode_jpeg_part

__all__ = ["JpegHeader", "JpegSettings", "decode", "decode_part", "header", "size_of"]


class JpegSettings(NamedTuple):
    """How a JPEG is to be decoded."""

    ratio: int = 1
    fancy_upscaling: bool = True
    try_recover_truncated: bool = False
    acceptable_fraction: float = 1.0
    accurate: bool = False
    at_least: tuple[int, int] | None = None

    @property
    def is_usual(self) -> bool:
        """Whether an image that is in order is decoded as it is where nothing is asked for."""
        whole = self.ratio == 1 and self.at_least is None
        return whole and self.fancy_upscaling and not self.accurate


_USUAL = JpegSettings()


class JpegHeader(NamedTuple):
    """What a JPEG says of itself before its pixels."""

    height: int
    width: int
    colors: str

    @property
    def channels(self) -> int:
        """How many numbers a pixel has where nothing else is asked for."""
        return 1 if self.colors == "Gray" else 3

    @property
    def is_cmyk(self) -> bool:
        """Whether it is made for printing."""
        return self.colors in ("CMYK", "YCCK")


def header(call: str, data: Any) -> JpegHeader:
    """Return what a JPEG says of itself."""
    try:
        height, width, colors, _ = simplejpeg.decode_jpeg_header(data, strict=False)
    except (KeyError, ValueError) as error:
        height, width, colors = _unusual_header(call, data, error)
    check_pixels(call, "jpeg", height, width)
    return JpegHeader(height, width, colors)


def size_of(found: JpegHeader, settings: JpegSettings) -> tuple[int, int]:
    """Return the height and width an image will have."""
    if settings.at_least is None:
        return _reduced(found, settings.ratio)
    low, narrow = settings.at_least
    # Not the sizes in between, such as 5/8: decoding at them takes longer than at all of it.
    for ratio in (8, 4, 2):
        size = _reduced(found, ratio)
        if size[0] >= low and size[1] >= narrow:
            return size
    return found.height, found.width


def _reduced(found: JpegHeader, ratio: int) -> tuple[int, int]:
    return -(-found.height // ratio), -(-found.width // ratio)


def decode(
    call: str,
    data: Any,
    channels: int,
    settings: JpegSettings = _USUAL,
    found: JpegHeader | None = None,
    out: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """Return the pixels of a JPEG.

    Args:
        call: For errors.
        data: Its bytes.
        channels: 1 or 3; 0 for as many as it has.
        settings: How to decode.
        found: Its header, where that is known.
        out: Memory for the pixels, of the right size.
    """
    if channels == 4:
        raise BuildError(f"{call}: a JPEG has 1 or 3 channels: channels must be 0, 1 or 3, got 4.")
    found = found or header(call, data)
    if found.is_cmyk:
        if channels == 1:
            raise DecodeError(
                f"{call}: the JPEG is in {found.colors}, which cannot be decoded to 1 channel. "
                "Decode it with channels=3."
            )
        return _rgb_of_cmyk(_pixels(call, data, "CMYK", settings, found, None), data, out)
    colors = "GRAY" if (channels or found.channels) == 1 else "RGB"
    return _pixels(call, data, colors, settings, found, out)


def decode_part(
    call: str, data: Any, channels: int, settings: JpegSettings, window: list[int]
) -> NDArray[np.uint8] | None:
    """Return the pixels of a part of a JPEG that the kernel knows, None of any other.

    Decoded alone, a part has other colours at its left and right edge than in the whole image.

    Args:
        call: For errors.
        data: Its bytes.
        channels: 1 or 3; 0 for as many as it has.
        settings: How to decode.
        window: The first row and column of the part, its height and width.
    """
    top, left, height, width = window
    if not settings.is_usual or min(top, left) < 0 or min(height, width) < 1:
        return None
    found = header(call, data)
    if top + height > found.height or left + width > found.width:
        return None
    out = np.empty((height, width, channels or found.channels), np.uint8)
    return out if decode_jpeg_part(data, top, left, out) else None


def _pixels(
    call: str,
    data: Any,
    colors: str,
    settings: JpegSettings,
    found: JpegHeader,
    out: NDArray[np.uint8] | None,
) -> NDArray[np.uint8]:
    if found.colors == "unusual":
        return _unusual(call, data, colors, settings, out)
    low, narrow = 0, 0
    if settings.ratio > 1 or settings.at_least is not None:
        low, narrow = size_of(found, settings)
    if settings.is_usual and colors in _CHANNELS:
        if out is None:
            out = np.empty((found.height, found.width, _CHANNELS[colors]), np.uint8)
        if decode_jpeg(data, out):
            return out
    _check_scans(call, data)
    # By position, for that is faster: transform, upsampling, least size and factor, memory.
    how = (not settings.accurate, not settings.fancy_upscaling, low, narrow, 1, out)
    try:
        return simplejpeg.decode_jpeg(data, colors, *how, True)  # type: ignore[no-any-return]
    except ValueError as error:
        message = str(error)
    # What libjpeg warns of, TensorFlow lets pass: the image is as good as it can be made.
    if not message.startswith(_WARNINGS):
        raise damaged(call, "jpeg", data, message)
    if not _is_complete(data) and not settings.try_recover_truncated:
        raise DecodeError(_cut_short(call, data, settings))
    try:
        return simplejpeg.decode_jpeg(_tidied(data), colors, *how, False)  # type: ignore[no-any-return]
    except ValueError as error:
        raise damaged(call, "jpeg", data, error) from None


def _check_scans(call: str, data: Any) -> None:
    """Refuse an image that goes over all of its pixels very often: few bytes, much work."""
    whole = bytes(data)
    if whole.count(_SCAN) <= _MOST_SCANS:
        return
    scans = whole.count(_SCAN, _parts(whole)[-1][1])  # without those of thumbnails
    if scans > _MOST_SCANS:
        raise DecodeError(
            f"{call}: the JPEG of {len(whole)} bytes has {scans} scans, and no program makes more "
            f"than {_MOST_SCANS}: decoding it would take very long. Save it again from its source."
        )


# What a scan of a JPEG begins with. Programs make about ten, and 64 at the very most where
# every frequency has its own.
_SCAN = b"\xff\xda"
_MOST_SCANS = 100
_CHANNELS = {"GRAY": 1, "RGB": 3}
_WARNINGS = (
    "Corrupt JPEG data",
    "Inconsistent progression sequence",
    "Invalid SOS parameters for sequential",
    "Premature end of JPEG file",
    "Unknown Adobe color transform",
    "Warning: ",
)


def _cut_short(call: str, data: Any, settings: JpegSettings) -> str:
    text = f"{call}: the JPEG of {len(data)} bytes is cut short."
    if settings.acceptable_fraction < 1:
        text += " How much of it is there cannot be told, so acceptable_fraction is no help."
    return f"{text} To decode what is there, give try_recover_truncated=True."


def _is_complete(data: Any) -> bool:
    """Whether the end of the image is there: after the first scan, for thumbnails have one too."""
    whole = bytes(data)
    return whole.find(b"\xff\xd9", _parts(whole)[-1][1]) >= 0


def _tidied(data: Any) -> bytes:
    """Return a JPEG without what stands between the parts of its header and is none of them.

    libjpeg passes over it with a warning, and simplejpeg takes that for an error.
    """
    whole = bytes(data)
    *parts, (_, rest) = _parts(whole)
    return b"".join([whole[:2], *(whole[start:end] for start, end in parts), whole[rest:]])


def _parts(whole: bytes) -> list[tuple[int, int]]:
    """Return where the parts of a header begin and end, and last where the first scan begins."""
    found: list[tuple[int, int]] = []
    at = 2
    while True:
        at = whole.find(b"\xff", at)
        while 0 <= at < len(whole) - 1 and whole[at + 1] == 0xFF:
            at += 1
        if not 0 <= at <= len(whole) - 4:
            return [*found, (0, len(whole))]
        if whole[at + 1] == 0xDA:
            return [*found, (0, at)]
        if whole[at + 1] == 0:  # no marker
            at += 2
            continue
        end = at + 2 + int.from_bytes(whole[at + 2 : at + 4], "big")
        found.append((at, end))
        at = end


def _rgb_of_cmyk(
    cmyk: NDArray[np.uint8], data: Any, out: NDArray[np.uint8] | None
) -> NDArray[np.uint8]:
    inks = cmyk.astype(np.uint16)
    # Programs that leave Adobe's mark store light instead of ink.
    if b"\xff\xee\x00\x0eAdobe" not in bytes(data[: 1 << 16]):
        inks = 255 - inks
    rgb = (inks[..., :3] * inks[..., 3:] // 255).astype(np.uint8)
    if out is None:
        return rgb
    out[...] = rgb
    return out


# ---- what libjpeg-turbo's simple interface does not know ------------------------------


def _unusual_header(call: str, data: Any, error: Exception) -> tuple[int, int, str]:
    """Look at an image whose colours are sampled in a way that interface has no name for."""
    if isinstance(error, ValueError) and "subsampling" not in str(error):
        raise damaged(call, "jpeg", data, error) from None
    image = _opened(call, data)
    return image.height, image.width, "unusual"


def _unusual(
    call: str, data: Any, colors: str, settings: JpegSettings, out: NDArray[np.uint8] | None
) -> NDArray[np.uint8]:
    if settings != JpegSettings(accurate=settings.accurate):
        raise DecodeError(
            f"{call}: the colours of this JPEG are sampled in an unusual way: it can be decoded "
            "with the usual settings alone (ratio=1, fancy_upscaling, nothing recovered)."
        )
    _check_scans(call, data)
    image = _opened(call, data)
    try:
        pixels = np.asarray(image.convert("L" if colors == "GRAY" else "RGB"))
    except Exception as error:
        raise damaged(call, "jpeg", data, error) from None
    pixels = pixels.reshape(image.height, image.width, -1)
    if out is None:
        return pixels.copy()
    out[...] = pixels
    return out


def _opened(call: str, data: Any) -> Any:
    plugin = import_module("PIL.JpegImagePlugin")  # seldom needed, and slow to import
    try:
        return plugin.JpegImageFile(io.BytesIO(data))
    except Exception as error:
        raise damaged(call, "jpeg", data, error) from None
