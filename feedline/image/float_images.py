"""float_images: images as floats from 0 to 1 to work on, and back as what they were.

The steps and their roundings are TensorFlow's, so that integer results are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.errors import BuildTypeError, InvalidArgumentError

__all__ = ["as_floats", "as_were", "checked_image", "number"]

_SINGLE = (np.dtype(np.float16), np.dtype(np.float32))


def checked_image(call: str, image: Any, *, rank: int = 3, channels: int | None = None) -> Any:
    """Return an image or a batch of images as an array, if it is one."""
    array = np.asarray(given(image))
    if array.dtype.kind not in "iuf":
        raise BuildTypeError(f"{call}: the image must hold numbers, got {array.dtype}.")
    if array.ndim < rank:
        raise InvalidArgumentError(
            f"{call}: the image must have at least {rank} axes, [height, width, channels], "
            f"got shape {list(array.shape)}."
        )
    if channels is not None and array.shape[-1] != channels:
        raise InvalidArgumentError(
            f"{call}: the image must have {channels} channels, got {array.shape[-1]} in shape "
            f"{list(array.shape)}. See grayscale_to_rgb() and rgb_to_grayscale()."
        )
    return array


def number(call: str, name: str, value: Any) -> Any:
    """Return a parameter as an array of numbers."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise BuildTypeError(f"{call}: {name} must be a number, got {value!r}.")
    return array


def as_floats(images: NDArray[Any]) -> NDArray[Any]:
    """Return images as float32 from 0 to 1; float16 stays, and may be the array given."""
    if images.dtype in _SINGLE:
        return images
    made = images.astype(np.float32)
    if images.dtype.kind in "iu":
        made *= np.float32(1.0 / np.iinfo(images.dtype).max)
    return made


def as_were(floats: NDArray[Any], dtype: np.dtype[Any], *, saturate: bool) -> NDArray[Any]:
    """Return floats, which are overwritten, as images of another dtype.

    Args:
        floats: Numbers from 0 to 1 where the dtype is one of integers.
        dtype: Of the result.
        saturate: Whether numbers below 0 and above 1 may occur; they become the limits.
    """
    if dtype == floats.dtype:
        return floats
    if dtype.kind == "f":
        return floats.astype(dtype)
    limits = np.iinfo(dtype)
    np.multiply(floats, floats.dtype.type(limits.max + 0.5), out=floats)
    if saturate:
        # The largest float that is not above the limit.
        top = floats.dtype.type(limits.max)
        if int(top) > limits.max:
            top = np.nextafter(top, floats.dtype.type(0))
        np.clip(floats, floats.dtype.type(limits.min), top, out=floats)
    with np.errstate(invalid="ignore"):  # NaN, of which nothing is said in TensorFlow either
        return floats.astype(dtype)
