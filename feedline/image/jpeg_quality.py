"""jpeg_quality: images as they are after being a JPEG."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildError, InvalidArgumentError, check_integer
from feedline.image.encoding import encode_jpeg
from feedline.image.float_images import checked_image
from feedline.image.image_draws import checked_seed
from feedline.image.image_operation import image_operation
from feedline.image.jpeg import decode_jpeg
from feedline.image.scaling import convert_image_dtype
from feedline.random.drawn import uniform
from feedline.random.stateless import stateless_uniform

__all__ = [
    "adjust_jpeg_quality",
    "random_jpeg_quality",
    "stateless_random_jpeg_quality",
]


@image_operation()
def adjust_jpeg_quality(
    image: Any, jpeg_quality: Any, dct_method: str = "", name: str | None = None
) -> Any:
    """Return an image as it is after being encoded as a JPEG and decoded.

    Args:
        image: [height, width, channels] with 1 or 3 channels. What is no uint8 is scaled to
            it, and back.
        jpeg_quality: From 0 to 100.
        dct_method: As in decode_jpeg().
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> adjust_jpeg_quality(np.full((8, 8, 3), 8, np.uint8), 90)[0, 0]
        array([8, 8, 8], dtype=uint8)
    """
    call = "adjust_jpeg_quality()"
    array = checked_image(call, image)
    if array.ndim != 3 or array.shape[2] not in (1, 3):
        raise InvalidArgumentError(
            f"{call}: the image must have 3 axes, [height, width, channels], and 1 or 3 channels, "
            f"got shape {list(array.shape)}."
        )
    quality = check_integer(call, "jpeg_quality", np.asarray(jpeg_quality)[()])
    if not 0 <= quality <= 100:
        raise BuildError(f"{call}: jpeg_quality must be from 0 to 100, got {quality}.")
    pixels = convert_image_dtype(array, np.uint8, saturate=True)
    decoded = decode_jpeg(
        encode_jpeg(pixels, quality=quality), channels=array.shape[-1], dct_method=dct_method
    )
    return convert_image_dtype(decoded, array.dtype, saturate=True)


# ---- at random --------------------------------------------------------------------------


def random_jpeg_quality(
    image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None
) -> Any:
    """Return images as they are after being a JPEG of a random quality.

    Args:
        image: An image of 1 or 3 channels.
        min_jpeg_quality: The lowest quality, from 0 to 100.
        max_jpeg_quality: What the quality is below, from 0 to 100.
        seed: Makes the draws the same in every iteration.
    """
    call = "random_jpeg_quality()"
    _check_quality(call, min_jpeg_quality, max_jpeg_quality)
    quality = uniform((), min_jpeg_quality, max_jpeg_quality, np.int32, checked_seed(call, seed))
    return adjust_jpeg_quality(image, quality)


def stateless_random_jpeg_quality(
    image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: Any
) -> Any:
    """Return images as they are after being a JPEG of a quality that is a function of the seed.

    Args:
        image: An image of 1 or 3 channels.
        min_jpeg_quality: The lowest quality, from 0 to 100.
        max_jpeg_quality: What the quality is below, from 0 to 100.
        seed: Two integers.
    """
    _check_quality("stateless_random_jpeg_quality()", min_jpeg_quality, max_jpeg_quality)
    quality = stateless_uniform((), seed, min_jpeg_quality, max_jpeg_quality, np.int32)
    return adjust_jpeg_quality(image, quality)


def _check_quality(call: str, lowest: int, highest: int) -> None:
    if not 0 <= lowest <= 100 or not 0 <= highest <= 100:
        raise BuildError(f"{call}: qualities must be from 0 to 100, got {lowest} and {highest}.")
    if lowest >= highest:
        raise BuildError(
            f"{call}: min_jpeg_quality must be below max_jpeg_quality, got {lowest} and {highest}."
        )
