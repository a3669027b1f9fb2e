"""hue_saturation: the hue and the saturation of RGB images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, InvalidArgumentError
from feedline.image.float_images import as_floats, as_were, checked_image, number
from feedline.image.image_operation import image_operation
from feedline.image.portions import alone, on_rows
from feedline.kernels.color import adjusted_hue, adjusted_saturation

__all__ = ["adjust_hue", "adjust_saturation"]


# The kernels work on these as they are.
_NATIVE = (np.dtype(np.uint8), np.dtype(np.float32))


def _hue(images: NDArray[Any], deltas: NDArray[Any]) -> NDArray[Any]:
    bad = deltas[~((deltas >= -1) & (deltas <= 1))]
    if len(bad):
        raise BuildError(f"adjust_hue(): delta must be from -1 to 1, got {bad[0]}.")
    return _pixelwise(adjusted_hue, images, deltas)


def _saturation(images: NDArray[Any], factors: NDArray[Any]) -> NDArray[Any]:
    return _pixelwise(adjusted_saturation, images, factors)


def _pixelwise(
    kernel: Callable[..., Any], images: NDArray[Any], parameters: NDArray[Any]
) -> NDArray[Any]:
    numbers = parameters.astype(np.float32)
    shape = (len(images), -1, 3) if images.size else (len(images), 0, 3)
    if images.dtype == np.uint8:
        made: NDArray[Any] = kernel(images.reshape(shape), numbers)
        return made.reshape(images.shape)
    floats = as_floats(images).astype(np.float32, copy=False)
    changed = kernel(floats.reshape(shape), numbers).reshape(images.shape)
    return as_were(changed, images.dtype, saturate=False)


def _single(call: str, name: str, value: Any) -> Any:
    found = number(call, name, value)
    if found.ndim:
        raise InvalidArgumentError(
            f"{call}: {name} must be a single number, got shape {list(found.shape)}."
        )
    return found


@image_operation(rows=lambda image, delta, name=None: on_rows(_hue, image, delta, whole=_NATIVE))  # noqa: ARG005
def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Any:
    """Return RGB images with the hue of every pixel turned.

    Args:
        image: An image [height, width, 3], or images along first axes.
        delta: Which part of a full turn, from -1 to 1.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> adjust_hue(np.array([[[255, 0, 0]]], np.uint8), 1 / 3)
        array([[[  0, 255,   0]]], dtype=uint8)
    """
    array = checked_image("adjust_hue()", image, channels=3)
    return alone(_hue, array, _single("adjust_hue()", "delta", delta))


@image_operation(
    rows=lambda image, saturation_factor, name=None: on_rows(  # noqa: ARG005
        _saturation, image, saturation_factor, whole=_NATIVE
    )
)
def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Any:
    """Return RGB images with the saturation of every pixel multiplied, and cut at full.

    Args:
        image: An image [height, width, 3], or images along first axes.
        saturation_factor: 0 makes everything grey, 1 changes nothing.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> adjust_saturation(np.array([[[200, 100, 100]]], np.uint8), 0.0)
        array([[[200, 200, 200]]], dtype=uint8)
    """
    call = "adjust_saturation()"
    array = checked_image(call, image, channels=3)
    return alone(_saturation, array, _single(call, "saturation_factor", saturation_factor))
