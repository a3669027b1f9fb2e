"""encoding: encode_jpeg and encode_png."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError, check_integer
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.image.image_operation import known_spec
from feedline.image.jpeg_bytes import JpegWriting, jpeg_bytes
from feedline.image.png_bytes import png_bytes
from feedline.leaf_spec import TensorSpec
from feedline.spec import string

__all__ = ["encode_jpeg", "encode_png"]


def encode_jpeg(
    image: Any,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: Any = "",
    name: str | None = None,
) -> Any:
    r"""Return an image as the bytes of a JPEG.

    Args:
        image: An array of uint8 with height, width and 1 or 3 channels.
        format: "grayscale" or "rgb" to insist on 1 or 3 channels.
        quality: From 0 to 100.
        progressive: Whether it can be shown coarsely before all of it is loaded.
        optimize_size: Whether to make it smaller, which takes longer.
        chroma_downsampling: Whether to store colours at half the size.
        density_unit: "in" or "cm": what x_density and y_density count pixels in.
        x_density: How many pixels there are in an inch or centimetre.
        y_density: The same from top to bottom.
        xmp_metadata: A text to put into the header.
        name: Has no effect.

    Example:
        >>> from feedline import image
        >>> image.encode_jpeg(np.zeros((8, 8, 3), np.uint8), quality=50)[:4]
        b'\xff\xd8\xff\xe0'
    """
    wanted = {"": (1, 3), "grayscale": (1,), "rgb": (3,)}.get(format)
    if wanted is None:
        raise BuildError(f"{_JPEG}: format must be '', 'grayscale' or 'rgb', got {format!r}.")
    number = check_integer(_JPEG, "quality", quality)
    if not 0 <= number <= 100:
        raise BuildError(f"{_JPEG}: quality must lie between 0 and 100, got {number}.")
    if density_unit not in ("in", "cm"):
        raise BuildError(f"{_JPEG}: density_unit must be 'in' or 'cm', got {density_unit!r}.")
    density = [check_integer(_JPEG, "x_density", x_density)]
    density.append(check_integer(_JPEG, "y_density", y_density))
    if not all(0 <= one < 1 << 16 for one in density):
        raise BuildError(f"{_JPEG}: x_density and y_density must fit 16 bits, got {density}.")
    xmp = xmp_metadata.encode() if isinstance(xmp_metadata, str) else bytes(xmp_metadata)
    if len(xmp) > 65_000:
        raise BuildError(f"{_JPEG}: xmp_metadata must fit 65000 bytes, got {len(xmp)}.")
    how = JpegWriting(
        number,
        bool(progressive),
        bool(optimize_size),
        bool(chroma_downsampling),
        density_unit == "cm",
        (density[0], density[1]),
        xmp,
    )
    return _jpeg(image, wanted, how)


def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Any:
    r"""Return an image as the bytes of a PNG.

    Args:
        image: An array of uint8 or uint16 with height, width and 1 to 4 channels: grey, grey
            and alpha, colour, colour and alpha. With more axes before these it is an array of
            images, and an array of byte strings comes out.
        compression: From 0 to 9, what zlib makes of it; -1 for its default.
        name: Has no effect.

    Example:
        >>> from feedline import image
        >>> data = image.encode_png(np.arange(6, dtype=np.uint16).reshape(1, 2, 3))
        >>> image.decode_png(data, dtype=np.uint16).tolist()
        [[[0, 1, 2], [3, 4, 5]]]
    """
    level = check_integer(_PNG, "compression", compression)
    if not -1 <= level <= 9:
        raise BuildError(f"{_PNG}: compression must lie between -1 and 9, got {level}.")
    return _png(image, level)


# ---- how they do it -------------------------------------------------------------------

_JPEG, _PNG = "encode_jpeg()", "encode_png()"


def _given(call: str, image: Any, dtypes: tuple[str, ...]) -> NDArray[Any]:
    array = np.asarray(image)
    if isinstance(image, list) and array.dtype.kind in "iu" and not _too_large(array, dtypes[0]):
        array = array.astype(dtypes[0])  # Python's numbers have no dtype of their own
    if array.dtype.name not in dtypes:
        raise BuildTypeError(
            f"{call}: image must have dtype {' or '.join(dtypes)}, got {array.dtype}. "
            "Use image.convert_image_dtype()."
        )
    return array


def _too_large(array: NDArray[Any], dtype: str) -> bool:
    return bool(array.size) and (int(array.max()) > np.iinfo(dtype).max or int(array.min()) < 0)


@leaf_operation(spec=lambda *_: TensorSpec((), string))
def _jpeg(image: Any, wanted: tuple[int, ...], how: JpegWriting) -> bytes:
    array = _given(_JPEG, image, ("uint8",))
    if array.ndim != 3 or array.shape[-1] not in wanted:
        channels = " or ".join(map(str, wanted))
        raise BuildError(
            f"{_JPEG}: image must have height, width and {channels} channels, got shape "
            f"{list(array.shape)}."
        )
    _check_size(_JPEG, array)
    return jpeg_bytes(array, how)


_jpeg.__name__ = "encode_jpeg"


def _png_spec(image: Any, _level: int) -> TensorSpec:
    if isinstance(image, (Symbol, Opaque)):
        shape = known_spec(image).shape
        return TensorSpec(None if shape is None else shape[:-3], string)
    return TensorSpec(np.shape(image)[:-3], string)


@leaf_operation(spec=_png_spec)
def _png(image: Any, level: int) -> Any:
    array = _given(_PNG, image, ("uint8", "uint16"))
    if array.ndim < 3 or not 1 <= array.shape[-1] <= 4:
        raise BuildError(
            f"{_PNG}: image must have height, width and 1 to 4 channels, got shape "
            f"{list(array.shape)}."
        )
    _check_size(_PNG, array)
    *several, height, width, channels = array.shape
    if not several:
        return png_bytes(array, level)
    made = np.empty(math.prod(several), object)
    made[:] = [png_bytes(one, level) for one in array.reshape(-1, height, width, channels)]
    return made.reshape(several)


_png.__name__ = "encode_png"


def _check_size(call: str, array: NDArray[Any]) -> None:
    height, width = array.shape[-3:-1]
    if not (height and width):
        raise InvalidArgumentError(f"{call}: image must have pixels, got {height} x {width}.")
    if call == _JPEG and max(height, width) > 65_500:
        raise InvalidArgumentError(
            f"{call}: a JPEG is at most 65500 pixels high and wide, got {height} x {width}."
        )
