"""turning: images mirrored and turned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, length_of, stacked
from feedline.graph.symbol import Symbol
from feedline.image.chain import Flip, link
from feedline.image.image_operation import image_operation, known_spec, like_first
from feedline.image.leading import (
    images_given,
    on_images,
    on_rows_of_images,
    on_varied_images,
    resized_spec,
)
from feedline.kernels.take_pixels import take_pixels

__all__ = ["flip_left_right", "flip_up_down", "flipped", "rot90", "transpose"]

LEFT_RIGHT, UP_DOWN = 1, 2


def flip_left_right(image: Any) -> Any:
    """Return images mirrored left to right.

    Example:
        >>> flip_left_right(np.array([[[1], [2], [3]]]))[..., 0].tolist()
        [[3, 2, 1]]
    """
    return flipped(images_given("flip_left_right()", image), LEFT_RIGHT)


def flip_up_down(image: Any) -> Any:
    """Return images mirrored top to bottom.

    Example:
        >>> flip_up_down(np.array([[[1]], [[2]]]))[..., 0].tolist()
        [[2], [1]]
    """
    return flipped(images_given("flip_up_down()", image), UP_DOWN)


def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """Return images turned ``k`` times by 90 degrees, against the clock.

    Example:
        >>> rot90(np.array([[[1], [2]], [[3], [4]]]))[..., 0].tolist()
        [[2, 4], [1, 3]]
    """
    array = images_given("rot90()", image)
    if isinstance(k, Symbol) and not k.is_constant:
        return _rot90(array, k)
    return _rot90(array, int(k) % 4)


def transpose(image: Any, name: str | None = None) -> Any:
    """Return images with rows and columns exchanged.

    Example:
        >>> transpose(np.array([[[1], [2], [3]]]))[..., 0].tolist()
        [[1], [2], [3]]
    """
    return _transpose(images_given("transpose()", image))


# ---- flips -----------------------------------------------------------------------------


def _flip_rows(image: Any, flip: Any) -> NDArray[Any]:
    if not isinstance(flip, Rows):
        return on_images(_flip_all, image.array, flip)
    length = length_of((image, flip))
    images, flips = stacked(image, length), flip.array.astype(np.uint8)
    if images.ndim == 5:
        flips = np.repeat(flips, images.shape[1])
    return on_images(_flip_each, images, flips)


def _flip_all(images: NDArray[Any], flip: Any) -> NDArray[Any]:
    return _flip_each(images, np.full(len(images), int(flip), np.uint8))


def _flip_each(images: NDArray[Any], flips: NDArray[np.uint8]) -> NDArray[Any]:
    if not images.size:
        return images.copy()
    return take_pixels(images, (images.shape[1], images.shape[2]), flips=flips)


def _flip_one(image: NDArray[Any], flip: Any) -> NDArray[Any]:
    return on_images(_flip_all, image, flip)


@image_operation(spec=like_first, rows=_flip_rows, columns=on_varied_images(_flip_one))
def flipped(image: Any, flip: Any) -> Any:
    """Return images mirrored: left to right if bit 0 of ``flip`` is set, top to bottom if bit 1.

    Args:
        image: An image or a batch of images.
        flip: An integer, which may differ between elements.
    """
    return _flip_one(image, flip)


@link(flipped, "flip")
def _flip_link(_image: Any, flip: Any) -> Flip | None:
    return Flip(flip, True) if isinstance(flip, int) else None


# ---- turns -----------------------------------------------------------------------------


def _turned(images: NDArray[Any], times: Any) -> NDArray[Any]:
    return np.ascontiguousarray(np.rot90(images, int(times) % 4, axes=(-3, -2)))


def _rot90_spec(image: Any, times: Any) -> Any:
    height, width = _lengths(image)
    if isinstance(times, Symbol) or times % 2:
        same = height if height == width else None
        height, width = (same, same) if isinstance(times, Symbol) else (width, height)
    return resized_spec(image, height, width)


@image_operation(
    spec=_rot90_spec, rows=on_rows_of_images(_turned), columns=on_varied_images(_turned)
)
def _rot90(image: Any, times: Any) -> Any:
    return _turned(image, times)


def _transposed(images: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(np.swapaxes(images, -3, -2))


def _transpose_spec(image: Any) -> Any:
    height, width = _lengths(image)
    return resized_spec(image, width, height)


@image_operation(
    spec=_transpose_spec,
    rows=on_rows_of_images(_transposed),
    columns=on_varied_images(_transposed),
)
def _transpose(image: Any) -> Any:
    return _transposed(image)


def _lengths(image: Any) -> tuple[int | None, int | None]:
    shape = known_spec(image).shape
    return (None, None) if shape is None else (shape[-3], shape[-2])
