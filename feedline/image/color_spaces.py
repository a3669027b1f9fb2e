"""color_spaces: RGB images as grey, HSV, YIQ and YUV, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildTypeError, InvalidArgumentError
from feedline.image.float_images import as_floats, as_were, checked_image
from feedline.image.image_operation import image_operation, known_spec
from feedline.image.portions import alone, on_rows
from feedline.leaf_spec import TensorSpec

__all__ = [
    "grayscale_to_rgb",
    "hsv_to_rgb",
    "rgb_to_grayscale",
    "rgb_to_hsv",
    "rgb_to_yiq",
    "rgb_to_yuv",
    "yiq_to_rgb",
    "yuv_to_rgb",
]


def _with_channels(count: int) -> Callable[..., TensorSpec]:
    def spec(images: Any, name: str | None = None) -> TensorSpec:
        known = known_spec(images)
        shape = known.shape
        return TensorSpec(None if shape is None else (*shape[:-1], count), known.dtype)

    return spec


# ---- grey ----------------------------------------------------------------------------

_WEIGHTS = np.array([0.2989, 0.587, 0.114], np.float32)


def _gray(images: NDArray[Any]) -> NDArray[Any]:
    floats = as_floats(images).astype(np.float32, copy=False)
    made = floats[..., :1] * _WEIGHTS[0]
    made += floats[..., 1:2] * _WEIGHTS[1]
    made += floats[..., 2:] * _WEIGHTS[2]
    return as_were(made, images.dtype, saturate=False)


def _gray_rows(images: Any, name: str | None = None) -> NDArray[Any]:
    return on_rows(_gray, images)


@image_operation(_with_channels(1), _gray_rows)
def rgb_to_grayscale(images: Any, name: str | None = None) -> Any:
    """Return RGB images in grey: one channel instead of three, of the same dtype.

    Args:
        images: RGB along the last axis.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> rgb_to_grayscale(np.array([[[255, 0, 0]]], np.uint8))
        array([[[76]]], dtype=uint8)
    """
    return alone(_gray, checked_image("rgb_to_grayscale()", images, rank=1, channels=3))


def _rgb(images: NDArray[Any]) -> NDArray[Any]:
    return np.repeat(images, 3, axis=-1)


def _rgb_rows(images: Any, name: str | None = None) -> NDArray[Any]:
    return on_rows(_rgb, images)


@image_operation(_with_channels(3), _rgb_rows)
def grayscale_to_rgb(images: Any, name: str | None = None) -> Any:
    """Return grey images as RGB: the one channel three times.

    Args:
        images: At least two axes, the last of length 1.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> grayscale_to_rgb(np.array([[[7]]], np.uint8))
        array([[[7, 7, 7]]], dtype=uint8)
    """
    array = checked_image("grayscale_to_rgb()", images, rank=2)
    if array.shape[-1] != 1:
        raise InvalidArgumentError(
            "grayscale_to_rgb(): the last axis must have length 1, got shape "
            f"{list(array.shape)}. To add one: image[..., None]."
        )
    return alone(_rgb, array)


# ---- HSV -----------------------------------------------------------------------------


def _floats_given(call: str, images: Any) -> NDArray[Any]:
    array = checked_image(call, images, rank=1, channels=3)
    if array.dtype.kind != "f":
        raise BuildTypeError(
            f"{call}: images must be floats, got {array.dtype}. "
            "Use convert_image_dtype(images, 'float32') before."
        )
    made: NDArray[Any] = array
    return made


def _hsv(images: NDArray[Any]) -> NDArray[Any]:
    kind = images.dtype.type
    r, g, b = (images[..., channel] for channel in range(3))
    made = np.empty_like(images)
    top = np.maximum(np.maximum(r, g), b)
    span = top - np.minimum(np.minimum(r, g), b)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        made[..., 1] = np.where(top > 0, span / top, kind(0))
        norm = np.reciprocal(span) * (kind(1) / kind(6))
        hue = np.where(
            r == top,
            norm * (g - b),
            np.where(
                g == top,
                norm * (b - r) + kind(2) / kind(6),
                norm * (r - g) + kind(4) / kind(6),
            ),
        )
    hue[~(span > 0)] = 0
    hue[hue < 0] += kind(1)
    made[..., 0] = hue
    made[..., 2] = top
    return made


def _hsv_rows(images: Any, name: str | None = None) -> NDArray[Any]:
    return on_rows(_hsv, images)


@image_operation(rows=_hsv_rows)
def rgb_to_hsv(images: Any, name: str | None = None) -> Any:
    """Return RGB images as hue, saturation and value, all from 0 to 1.

    Args:
        images: Floats from 0 to 1, RGB along the last axis.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> rgb_to_hsv(np.array([[[0.0, 1.0, 0.0]]], np.float32)).round(3)
        array([[[0.333, 1.   , 1.   ]]], dtype=float32)
    """
    return alone(_hsv, _floats_given("rgb_to_hsv()", images))


def _from_hsv(images: NDArray[Any]) -> NDArray[Any]:
    kind = images.dtype.type
    saturation, value = images[..., 1], images[..., 2]
    turn = images[..., 0] * kind(6)
    rest = kind(1) - saturation
    made = np.empty_like(images)
    parts = (
        np.abs(turn - kind(3)) - kind(1),
        kind(2) - np.abs(turn - kind(2)),
        kind(2) - np.abs(turn - kind(4)),
    )
    for channel, part in enumerate(parts):
        np.clip(part, kind(0), kind(1), out=part)
        made[..., channel] = (rest + saturation * part) * value
    return made


def _from_hsv_rows(images: Any, name: str | None = None) -> NDArray[Any]:
    return on_rows(_from_hsv, images)


@image_operation(rows=_from_hsv_rows)
def hsv_to_rgb(images: Any, name: str | None = None) -> Any:
    """Return images of hue, saturation and value, all from 0 to 1, as RGB.

    Args:
        images: Floats, HSV along the last axis.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> hsv_to_rgb(np.array([[[0.0, 1.0, 0.5]]], np.float32))
        array([[[0.5, 0. , 0. ]]], dtype=float32)
    """
    return alone(_from_hsv, _floats_given("hsv_to_rgb()", images))


# ---- YIQ and YUV ------------------------------------------------------------------------

_RGB_TO_YIQ = (
    (0.299, 0.59590059, 0.2115),
    (0.587, -0.27455667, -0.52273617),
    (0.114, -0.32134392, 0.31119955),
)
_YIQ_TO_RGB = (
    (1.0, 1.0, 1.0),
    (0.95598634, -0.27201283, -1.10674021),
    (0.6208248, -0.64720424, 1.70423049),
)
_RGB_TO_YUV = (
    (0.299, -0.14714119, 0.61497538),
    (0.587, -0.28886916, -0.51496512),
    (0.114, 0.43601035, -0.10001026),
)
_YUV_TO_RGB = (
    (1.0, 1.0, 1.0),
    (0.0, -0.394642334, 2.03206185),
    (1.13988303, -0.58062185, 0.0),
)


def _mixed(weights: Any) -> Callable[[NDArray[Any]], NDArray[Any]]:
    def kernel(images: NDArray[Any]) -> NDArray[Any]:
        if images.dtype == np.float16:  # too few digits to add in
            return kernel(images.astype(np.float32)).astype(np.float16)
        matrix = np.asarray(weights, images.dtype)
        made = np.empty_like(images)
        for channel in range(3):
            mixed = images[..., 0] * matrix[0, channel]
            mixed += images[..., 1] * matrix[1, channel]
            mixed += images[..., 2] * matrix[2, channel]
            made[..., channel] = mixed
        return made

    return kernel


_to_yiq, _from_yiq = _mixed(_RGB_TO_YIQ), _mixed(_YIQ_TO_RGB)
_to_yuv, _from_yuv = _mixed(_RGB_TO_YUV), _mixed(_YUV_TO_RGB)


@image_operation(rows=lambda images: on_rows(_to_yiq, images))
def rgb_to_yiq(images: Any) -> Any:
    """Return RGB images as YIQ.

    Args:
        images: Floats from 0 to 1, RGB along the last axis.

    Example:
        >>> import numpy as np
        >>> rgb_to_yiq(np.ones((1, 1, 3), np.float32)).round(3)[..., 0]
        array([[1.]], dtype=float32)
    """
    return alone(_to_yiq, _floats_given("rgb_to_yiq()", images))


@image_operation(rows=lambda images: on_rows(_from_yiq, images))
def yiq_to_rgb(images: Any) -> Any:
    """Return YIQ images as RGB; see rgb_to_yiq()."""
    return alone(_from_yiq, _floats_given("yiq_to_rgb()", images))


@image_operation(rows=lambda images: on_rows(_to_yuv, images))
def rgb_to_yuv(images: Any) -> Any:
    """Return RGB images as YUV.

    Args:
        images: Floats from 0 to 1, RGB along the last axis.

    Example:
        >>> import numpy as np
        >>> rgb_to_yuv(np.ones((1, 1, 3), np.float32)).round(3)[..., 0]
        array([[1.]], dtype=float32)
    """
    return alone(_to_yuv, _floats_given("rgb_to_yuv()", images))


@image_operation(rows=lambda images: on_rows(_from_yuv, images))
def yuv_to_rgb(images: Any) -> Any:
    """Return YUV images as RGB; see rgb_to_yuv()."""
    return alone(_from_yuv, _floats_given("yuv_to_rgb()", images))
