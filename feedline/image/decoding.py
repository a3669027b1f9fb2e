"""decoding: decode_image, decode_png, decode_gif, decode_bmp, decode_webp."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.numpy_view import ScalarType
from feedline.image.decoded import Decoding, check_channels, decoded
from feedline.image.scaling import convert_image_dtype

__all__ = ["decode_bmp", "decode_gif", "decode_image", "decode_png", "decode_webp"]


def decode_image(
    contents: Any,
    channels: int | None = None,
    dtype: Any = np.uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Any:
    """Return the pixels of a JPEG, PNG, GIF, BMP or WebP.

    Args:
        contents: The bytes of an image.
        channels: How many are wanted: 1, 3 or 4, as far as the format has them; 0 or None for
            what the image has.
        dtype: Of the result. Floats lie between 0 and 1.
        name: Has no effect.
        expand_animations: Whether a GIF or WebP comes with all its frames, along a first axis;
            otherwise the first frame comes alone, as any other image.

    Example:
        >>> from feedline import image
        >>> data = image.encode_png(np.full((2, 3, 1), 51, np.uint8))
        >>> image.decode_image(data, dtype=np.float32)[0, 0]
        array([0.2], dtype=float32)
    """
    call = "decode_image()"
    wanted = _dtype(dtype)
    if wanted.kind not in "iuf":
        raise BuildTypeError(f"{call}: dtype must be one of integers or floats, got {wanted}.")
    how = Decoding(call, check_channels(call, channels), expand_animations=bool(expand_animations))
    if wanted.name in ("uint8", "uint16", "float32"):
        return decoded(contents, how._replace(dtype=wanted.name))
    return convert_image_dtype(decoded(contents, how._replace(dtype="uint16")), wanted)


def decode_png(
    contents: Any, channels: int = 0, dtype: Any = np.uint8, name: str | None = None
) -> Any:
    """Return the pixels of a PNG: an array with height, width and channels.

    A JPEG, a WebP or a GIF with one frame is decoded too.

    Args:
        contents: The bytes of an image.
        channels: 1 for grey, 3 for colour, 4 for colour and alpha, 0 for what the image has.
        dtype: uint8 or uint16.
        name: Has no effect.

    Example:
        >>> from feedline import image
        >>> data = image.encode_png(np.full((2, 3, 1), 7, np.uint8))
        >>> image.decode_png(data, channels=3)[0, 0].tolist()
        [7, 7, 7]
    """
    call = "decode_png()"
    wanted = _dtype(dtype)
    if wanted.name not in ("uint8", "uint16"):
        raise BuildError(f"{call}: dtype must be uint8 or uint16, got {wanted}.")
    return decoded(contents, Decoding(call, check_channels(call, channels), wanted.name))


def decode_gif(contents: Any, name: str | None = None) -> Any:
    """Return the frames of a GIF: an array with frames, height, width and 3 channels.

    Every frame is drawn over the one before it. A JPEG or PNG is decoded as one frame.

    Args:
        contents: The bytes of an image.
        name: Has no effect.

    Example:
        >>> from feedline import image
        >>> image.decode_gif(image.encode_png(np.zeros((2, 3, 3), np.uint8))).shape
        TensorShape([1, 2, 3, 3])
    """
    return decoded(contents, Decoding("decode_gif()", 3))


def decode_bmp(contents: Any, channels: int = 0, name: str | None = None) -> Any:
    """Return the pixels of a BMP with 8, 24 or 32 bits: height, width and channels.

    Args:
        contents: The bytes of an image.
        channels: 3 for colour, 4 for colour and alpha, 0 for what the image has.
        name: Has no effect.
    """
    call = "decode_bmp()"
    return decoded(contents, Decoding(call, check_channels(call, channels)))


def decode_webp(
    contents: Any, channels: int = 0, dtype: Any = np.uint8, name: str | None = None
) -> Any:
    """Return the frames of a WebP: an array with frames, height, width and channels.

    A JPEG or PNG is decoded too, without an axis for frames.

    Args:
        contents: The bytes of an image.
        channels: 0, or 3 or 4 if the image has as many.
        dtype: uint8.
        name: Has no effect.
    """
    call = "decode_webp()"
    if _dtype(dtype) != np.uint8:
        raise BuildError(f"{call}: dtype must be uint8, got {_dtype(dtype)}.")
    return decoded(contents, Decoding(call, check_channels(call, channels)))


def _dtype(dtype: Any) -> np.dtype[Any]:
    return np.dtype(dtype.dtype if isinstance(dtype, ScalarType) else dtype)
