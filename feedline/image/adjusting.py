"""adjusting: brightness, contrast and gamma of images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, InvalidArgumentError
from feedline.image.float_images import as_floats, as_were, checked_image, number
from feedline.image.image_operation import image_operation
from feedline.image.portions import alone, beside, on_rows
from feedline.kernels.halved_means import halved_means
from feedline.kernels.through_tables import through_tables

__all__ = ["adjust_brightness", "adjust_contrast", "adjust_gamma"]


_BYTES = (np.dtype(np.uint8),)
_LEVELS = np.arange(256, dtype=np.uint8)


def _by_tables(
    kernel: Callable[..., NDArray[Any]], images: NDArray[Any], *parameters: NDArray[Any]
) -> NDArray[Any]:
    """Return what a kernel of numbers by themselves gives, for bytes by a table of all of them."""
    if images.dtype != np.uint8 or any(parameter.ndim > 1 for parameter in parameters):
        return kernel(images, *parameters)
    tables = kernel(np.broadcast_to(_LEVELS, (len(images), 256)), *parameters)
    made = through_tables(images.reshape(len(images), -1, 1), tables[:, None])
    return made.reshape(images.shape)


# ---- brightness --------------------------------------------------------------------


def _brightness(images: NDArray[Any], deltas: NDArray[Any]) -> NDArray[Any]:
    return _by_tables(_brighter, images, deltas)


def _brighter(images: NDArray[Any], deltas: NDArray[Any]) -> NDArray[Any]:
    floats, added = beside(as_floats(images), deltas, _working(images.dtype))
    return as_were(floats + added, images.dtype, saturate=True)


def _working(dtype: np.dtype[Any]) -> Any:
    return np.float16 if dtype == np.float16 else np.float32


@image_operation(rows=lambda image, delta: on_rows(_brightness, image, delta, whole=_BYTES))
def adjust_brightness(image: Any, delta: Any) -> Any:
    """Return images with a number added to every pixel.

    Integer images are scaled to floats from 0 to 1, so that ``delta`` is a part of the whole
    range, and back; what would be beyond the range is cut to it. Floats are not cut.

    Args:
        image: An image, or images of one size along first axes.
        delta: What is added, usually from -1 to 1.

    Example:
        >>> import numpy as np
        >>> adjust_brightness(np.array([[[0, 100, 250]]], np.uint8), 0.1)
        array([[[ 25, 125, 255]]], dtype=uint8)
    """
    call = "adjust_brightness()"
    return alone(_brightness, checked_image(call, image, rank=0), number(call, "delta", delta))


# ---- contrast -----------------------------------------------------------------------


def _contrast(images: NDArray[Any], factors: NDArray[Any]) -> NDArray[Any]:
    *_, height, width, channels = images.shape
    if not images.size:
        return images.copy()
    planes = images.reshape(-1, height * width, channels)
    scale = factors.astype(np.float32).repeat(len(planes) // len(images))[:, None, None]
    if images.dtype == np.uint8:
        means = halved_means(planes)[:, :, None]
        tables = as_were(_moved(as_floats(_LEVELS), means, scale), images.dtype, saturate=True)
        return through_tables(planes, tables).reshape(images.shape)
    floats = as_floats(planes).astype(np.float32, copy=False)
    # Whole lines of means: NumPy is slow where a line is as short as the channels.
    means = np.tile(halved_means(floats), (1, width))[:, None, :]
    made = _moved(floats.reshape(-1, height, width * channels), means, scale)
    return as_were(made.reshape(images.shape), images.dtype, saturate=True)


def _moved(floats: NDArray[Any], means: NDArray[Any], scale: NDArray[Any]) -> NDArray[Any]:
    made: NDArray[Any] = floats - means
    made *= scale
    made += means
    return made


@image_operation(
    rows=lambda images, contrast_factor: on_rows(_contrast, images, contrast_factor, whole=_BYTES),
)
def adjust_contrast(images: Any, contrast_factor: Any) -> Any:
    """Return images whose pixels are moved from the mean of their channel, or to it.

    Each channel of each image becomes ``(x - mean) * contrast_factor + mean``.

    Args:
        images: An image [height, width, channels], or images along first axes.
        contrast_factor: One number; 1 changes nothing.

    Example:
        >>> import numpy as np
        >>> adjust_contrast(np.array([[[10], [20]]], np.uint8), 2.0)
        array([[[ 5],
                [25]]], dtype=uint8)
    """
    call = "adjust_contrast()"
    array = checked_image(call, images)
    factor = number(call, "contrast_factor", contrast_factor)
    if factor.ndim:
        raise InvalidArgumentError(
            f"{call}: contrast_factor must be a single number, got shape {list(factor.shape)}."
        )
    return alone(_contrast, array, factor)


# ---- gamma ----------------------------------------------------------------------------


def _gamma(images: NDArray[Any], gammas: NDArray[Any], gains: NDArray[Any]) -> NDArray[Any]:
    return _by_tables(_raised, images, gammas, gains)


def _raised(images: NDArray[Any], gammas: NDArray[Any], gains: NDArray[Any]) -> NDArray[Any]:
    if (gammas < 0).any():
        raise BuildError(f"adjust_gamma(): gamma must not be negative, got {gammas.min()}.")
    dtype = _working(images.dtype)
    floats, powers = beside(as_floats(images), gammas, dtype)
    with np.errstate(invalid="ignore"):  # a power of a negative float is NaN, as in TensorFlow
        made = np.power(floats, powers)
    made, factors = beside(made, gains, dtype)
    return as_were(factors * made, images.dtype, saturate=True)


@image_operation(
    rows=lambda image, gamma=1, gain=1: on_rows(_gamma, image, gamma, gain, whole=_BYTES),
)
def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Any:
    """Return images with every pixel ``gain * x ** gamma``, for x from 0 to 1.

    Args:
        image: An image, or images along first axes.
        gamma: Not negative. Above 1 makes an image darker, below 1 brighter.
        gain: A factor.

    Example:
        >>> import numpy as np
        >>> adjust_gamma(np.array([[[0.5]]], np.float32), 2.0)
        array([[[0.25]]], dtype=float32)
    """
    call = "adjust_gamma()"
    array = checked_image(call, image, rank=0)
    return alone(_gamma, array, number(call, "gamma", gamma), number(call, "gain", gain))
