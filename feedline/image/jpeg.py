"""jpeg: decode_jpeg, decode_and_crop_jpeg, extract_jpeg_shape, is_jpeg."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError, DecodeError, check_integer
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.numpy_view import ScalarType
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.image import jpeg_pixels
from feedline.image.decoded import Decoding, check_channels, decoded
from feedline.image.formats import contents_of
from feedline.image.jpeg_pixels import JpegSettings
from feedline.leaf_spec import TensorSpec
from feedline.strings.lifted import rule_for, spec_like
from feedline.strings.texts import as_bytes, parts_of, strings_given

__all__ = ["decode_and_crop_jpeg", "decode_jpeg", "extract_jpeg_shape", "is_jpeg"]


def decode_jpeg(
    contents: Any,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
    *,
    at_least: tuple[int, int] | None = None,
) -> Any:
    """Return the pixels of a JPEG: an array of uint8 with height, width and channels.

    A PNG, a WebP or a GIF with one frame is decoded too. What a photo says of the way the
    camera was held (EXIF) is not looked at.

    Args:
        contents: The bytes of an image.
        channels: 1 for grey, 3 for colour, 0 for what the image has.
        ratio: 2, 4 or 8 to decode at a half, a quarter or an eighth of the size, which is faster.
        fancy_upscaling: Whether to smooth colours that are stored at half the size.
        try_recover_truncated: Whether an image that is cut short is decoded as far as it goes.
        acceptable_fraction: Has an effect on images that are cut short alone, and these
            need try_recover_truncated.
        dct_method: "INTEGER_FAST", which is also what "" means, or "INTEGER_ACCURATE".
        name: Has no effect.
        at_least: Decode at the smallest of an eighth, a quarter, a half and all of the size
            that has this height and width: faster where the image is made smaller afterwards
            anyway. What comes of that is not quite what comes of the whole image, and
            TensorFlow does not have it.

    Example:
        >>> from feedline import image
        >>> data = image.encode_jpeg(np.full((60, 80, 3), 7, np.uint8))
        >>> image.decode_jpeg(data).shape, image.decode_jpeg(data, channels=1, ratio=4).shape
        (TensorShape([60, 80, 3]), TensorShape([15, 20, 1]))
        >>> image.decode_jpeg(data, at_least=(25, 25)).shape
        TensorShape([30, 40, 3])
    """
    rest = fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method
    size = None if at_least is None else tuple(at_least)
    return decoded(contents, _decoding("decode_jpeg()", channels, ratio, rest, size))


def decode_and_crop_jpeg(
    contents: Any,
    crop_window: Any,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Any:
    """Return the pixels of a part of a JPEG.

    Args:
        contents: The bytes of a JPEG.
        crop_window: The first row and column of the part, its height and width.
        channels: 1 for grey, 3 for colour, 0 for what the image has.
        ratio: 2, 4 or 8 to decode at a half, a quarter or an eighth of the size; the part is
            one of what comes out.
        fancy_upscaling: Whether to smooth colours that are stored at half the size.
        try_recover_truncated: Whether an image that is cut short is decoded as far as it goes.
        acceptable_fraction: As for decode_jpeg().
        dct_method: As for decode_jpeg().
        name: Has no effect.

    Example:
        >>> from feedline import image
        >>> data = image.encode_jpeg(np.full((60, 80, 3), 7, np.uint8))
        >>> image.decode_and_crop_jpeg(data, [10, 20, 30, 40]).shape
        TensorShape([30, 40, 3])
    """
    rest = fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method
    how = _decoding("decode_and_crop_jpeg()", channels, ratio, rest, None)
    return _part(contents, crop_window, how)


def extract_jpeg_shape(contents: Any, output_type: Any = np.int32, name: str | None = None) -> Any:
    """Return the height, width and channels of a JPEG, from its header alone.

    Args:
        contents: The bytes of a JPEG.
        output_type: int32 or int64.
        name: Has no effect.

    Example:
        >>> from feedline import image
        >>> image.extract_jpeg_shape(image.encode_jpeg(np.zeros((60, 80, 3), np.uint8)))
        array([60, 80,  3], dtype=int32)
    """
    dtype = np.dtype(output_type.dtype if isinstance(output_type, ScalarType) else output_type)
    if dtype not in (np.int32, np.int64):
        raise BuildError(f"{_SHAPE}: output_type must be int32 or int64, got {dtype}.")
    return _shape(contents, dtype)


def is_jpeg(contents: Any, name: str | None = None) -> Any:
    r"""Return whether bytes begin as a JPEG does.

    Args:
        contents: Bytes, or an array of them.
        name: Has no effect.

    Example:
        >>> from feedline import image
        >>> image.is_jpeg(b"\xff\xd8\xff\xe0"), image.is_jpeg([b"GIF89a", b""]).tolist()
        (np.True_, [False, False])
    """
    return _begins_as_jpeg(contents)


# ---- how they do it -------------------------------------------------------------------

_SHAPE = "extract_jpeg_shape()"
_BEGINNING = b"\xff\xd8\xff"
_METHODS = {"": False, "INTEGER_FAST": False, "INTEGER_ACCURATE": True}


@lru_cache(maxsize=64)
def _decoding(
    call: str, channels: Any, ratio: Any, rest: tuple[Any, Any, Any, Any], at_least: Any
) -> Decoding:
    """Check the settings: once, for a pipeline calls with the same ones for every image."""
    fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method = rest
    if ratio not in (1, 2, 4, 8):
        raise BuildError(f"{call}: ratio must be 1, 2, 4 or 8, got {ratio!r}.")
    if dct_method not in _METHODS:
        raise BuildError(
            f"{call}: dct_method must be '', 'INTEGER_FAST' or 'INTEGER_ACCURATE', "
            f"got {dct_method!r}."
        )
    if at_least is not None:
        if len(at_least) != 2 or ratio != 1:
            raise BuildError(
                f"{call}: at_least must be a height and a width, and ratio be 1 beside it, got "
                f"{at_least!r} and ratio={ratio}."
            )
        at_least = tuple(check_integer(call, "at_least", one) for one in at_least)
    settings = JpegSettings(
        int(ratio),
        bool(fancy_upscaling),
        bool(try_recover_truncated),
        float(acceptable_fraction),
        _METHODS[dct_method],
        at_least,
    )
    return Decoding(call, check_channels(call, channels), jpeg=settings)


def _part_spec(_contents: Any, window: Any, how: Decoding) -> TensorSpec:
    varies = isinstance(window, (Symbol, Opaque)) or any(
        isinstance(one, (Symbol, Opaque)) for one in window
    )
    size = (None, None) if varies else tuple(_window(window)[2:])
    return TensorSpec((*size, how.channels or None), np.uint8)


@leaf_operation(spec=_part_spec)
def _part(contents: Any, window: Any, how: Decoding) -> NDArray[Any]:
    top, left, height, width = given = _window(window)
    data = contents_of(how.call, contents)
    if data[:3] == _BEGINNING:
        alone = jpeg_pixels.decode_part(how.call, data, how.channels, how.jpeg, given)
        if alone is not None:
            return alone
    whole = decoded(data, how)
    rows, columns = whole.shape[:2]
    if (
        min(top, left) < 0
        or min(height, width) < 1
        or top + height > rows
        or left + width > columns
    ):
        raise DecodeError(
            f"{how.call}: crop_window must lie in the image of {rows} x {columns}, got "
            f"{[top, left, height, width]}: first row and column, height, width."
        )
    part: NDArray[Any] = np.ascontiguousarray(whole[top : top + height, left : left + width])
    return part


_part.__name__ = "decode_and_crop_jpeg"


def _window(window: Any) -> list[int]:
    found = np.asarray(window)
    if found.shape != (4,):
        raise BuildError(
            "decode_and_crop_jpeg(): crop_window must be four numbers (first row and column, "
            f"height, width), got shape {list(found.shape)}."
        )
    if found.dtype.kind not in "iu":
        raise BuildTypeError(
            f"decode_and_crop_jpeg(): crop_window must be integers, got {found.dtype}."
        )
    numbers: list[int] = found.tolist()
    return numbers


def _shape_spec(_contents: Any, dtype: np.dtype[Any]) -> TensorSpec:
    return TensorSpec((3,), dtype)


@leaf_operation(spec=_shape_spec)
def _shape(contents: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    data = contents_of(_SHAPE, contents)
    found = jpeg_pixels.header(_SHAPE, data)
    channels = 4 if found.is_cmyk else found.channels
    return np.array([found.height, found.width, channels], dtype)


_shape.__name__ = "extract_jpeg_shape"


def _begin_as_jpeg(texts: Sequence[Any]) -> NDArray[np.bool_]:
    found = [text.startswith(_BEGINNING) for text in as_bytes(texts)]
    return np.array(found, np.bool_)


@leaf_operation(spec=spec_like(np.bool_), columns=rule_for(_begin_as_jpeg))
def _begins_as_jpeg(contents: Any) -> Any:
    items, put = parts_of(strings_given("is_jpeg()", contents, "contents"))
    return put(_begin_as_jpeg(items))


_begins_as_jpeg.__name__ = "is_jpeg"
