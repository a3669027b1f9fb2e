"""edges: how neighbouring pixels differ."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildTypeError, InvalidArgumentError
from feedline.image.float_images import checked_image
from feedline.image.image_operation import image_operation, known_spec
from feedline.image.portions import alone, on_rows
from feedline.leaf_spec import TensorSpec

__all__ = ["image_gradients", "sobel_edges", "total_variation"]


# ---- gradients -------------------------------------------------------------------------


def _twice(image: Any) -> tuple[TensorSpec, TensorSpec]:
    return known_spec(image), known_spec(image)


@image_operation(_twice)
def image_gradients(image: Any) -> Any:
    """Return by how much each pixel differs from the one below it and the one right of it.

    Args:
        image: Images [batch, height, width, channels].

    Returns:
        A tuple of two arrays of the same shape, dy and dx. The last row of dy and the last
        column of dx are zeros.

    Example:
        >>> import numpy as np
        >>> dy, dx = image_gradients(np.array([1, 3, 7, 2]).reshape(1, 2, 2, 1))
        >>> dy[0, :, :, 0].tolist(), dx[0, :, :, 0].tolist()
        ([[6, -1], [0, 0]], [[2, 0], [-5, 0]])
    """
    array = _batch("image_gradients()", image)
    dy, dx = np.zeros_like(array), np.zeros_like(array)
    np.subtract(array[:, 1:], array[:, :-1], out=dy[:, :-1])
    np.subtract(array[:, :, 1:], array[:, :, :-1], out=dx[:, :, :-1])
    return dy, dx


def _batch(call: str, image: Any) -> NDArray[Any]:
    array: NDArray[Any] = checked_image(call, image)
    if array.ndim != 4:
        raise InvalidArgumentError(
            f"{call}: image must have 4 axes, [batch, height, width, channels], got shape "
            f"{list(array.shape)}. For one image: image[None]."
        )
    return array


# ---- sobel -----------------------------------------------------------------------------


def _two_more(image: Any) -> TensorSpec:
    known = known_spec(image)
    return TensorSpec(None if known.shape is None else (*known.shape, 2), known.dtype)


def _sobel(images: NDArray[Any]) -> NDArray[Any]:
    if images.dtype == np.float16:  # too few digits to add in
        return _sobel(images.astype(np.float32)).astype(np.float16)
    before = [(0, 0)] * (images.ndim - 3)
    padded = np.pad(images, [*before, (1, 1), (1, 1), (0, 0)], mode="reflect")
    *_, height, width, channels = images.shape
    # Pixels of a row one after the other: NumPy is slow where a line is as short as channels.
    lines = padded.reshape(*images.shape[:-3], height + 2, (width + 2) * channels)
    ends, size = 2 * channels, width * channels
    made = np.empty((*images.shape[:-3], height, size, 2), images.dtype)
    across = lines[..., 2:, :] - lines[..., :height, :]
    along = lines[..., ends:] - lines[..., :size]
    _add_up(
        across[..., :size], across[..., channels : channels + size], across[..., ends:], made, 0
    )
    _add_up(along[..., :height, :], along[..., 1 : 1 + height, :], along[..., 2:, :], made, 1)
    return made.reshape(*images.shape, 2)


def _add_up(first: Any, middle: Any, last: Any, made: NDArray[Any], place: int) -> None:
    total = middle * made.dtype.type(2)
    total += first
    total += last
    made[..., place] = total


@image_operation(_two_more, lambda image: on_rows(_sobel, image))
def sobel_edges(image: Any) -> Any:
    """Return the Sobel edges of images: along a new last axis, dy and dx.

    Args:
        image: Floats [batch, height, width, channels], at least 2 by 2.

    Example:
        >>> import numpy as np
        >>> sobel_edges(np.eye(3, dtype=np.float32).reshape(1, 3, 3, 1)).shape
        (1, 3, 3, 1, 2)
    """
    array = _batch("sobel_edges()", image)
    if array.dtype.kind != "f":
        raise BuildTypeError(
            f"sobel_edges(): image must hold floats, got {array.dtype}. "
            "Use convert_image_dtype(image, 'float32') before."
        )
    if min(array.shape[1:3]) < 2:
        raise InvalidArgumentError(
            f"sobel_edges(): images must be at least 2 by 2, got shape {list(array.shape)}."
        )
    return alone(_sobel, array)


# ---- total variation -----------------------------------------------------------------------


def _total(images: Any, name: str | None = None) -> TensorSpec:
    known = known_spec(images)
    shape = None if known.shape is None else known.shape[: len(known.shape) - 3]
    return TensorSpec(shape, known.dtype)


@image_operation(_total)
def total_variation(images: Any, name: str | None = None) -> Any:
    """Return how much neighbouring pixels differ, all differences of an image added up.

    Args:
        images: An image [height, width, channels], or a batch of them: one number for each.
            Floats or signed integers.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> total_variation(np.array([[[1], [4]], [[1], [2]]], np.int32))
        np.int32(6)
    """
    call = "total_variation()"
    array = checked_image(call, images)
    if array.ndim > 4:
        raise InvalidArgumentError(
            f"{call}: images must have 3 or 4 axes, got shape {list(array.shape)}."
        )
    if array.dtype.kind == "u":
        # Their differences would be wrapped around.
        raise BuildTypeError(
            f"{call}: images must be floats or signed integers, got {array.dtype}. "
            "Use convert_image_dtype(images, 'float32') before."
        )
    axes = (-3, -2, -1)
    down = np.abs(array[..., 1:, :, :] - array[..., :-1, :, :]).sum(axes, dtype=array.dtype)
    across = np.abs(array[..., 1:, :] - array[..., :-1, :]).sum(axes, dtype=array.dtype)
    with np.errstate(over="ignore"):  # of small integers, which TensorFlow adds up as they are
        return down + across
