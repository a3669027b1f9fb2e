"""take_pixels: parts of images, larger or smaller by whole pixels, and mirrored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.taps import nearest_places

__all__ = ["take_pixels", "take_pixels_twin"]


def take_pixels_twin(
    images: NDArray[Any],
    size: tuple[int, int],
    boxes: NDArray[np.int64] | None = None,
    flips: NDArray[np.uint8] | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Return images ``(n, *size, channels)`` of the dtype they have, resized by method nearest.

    Args:
        images: ``(n, height, width, channels)``.
        size: The new height and width.
        boxes: ``(n, 4)``: top, left, height and width of the part that is meant of each.
        flips: For each image 1 to mirror it left to right, 2 top to bottom, 3 for both.
        out: Where to write them, contiguous; None for new memory.

    Example:
        >>> take_pixels(np.array([[[[1], [2]]]]), (1, 2), flips=np.uint8([1])).tolist()
        [[[[2], [1]]]]
    """
    if 0 in images.shape[1:]:
        raise ValueError("images must have at least one pixel and one channel")
    if min(size) < 1:
        raise ValueError("height and width must be at least 1")
    if boxes is not None and boxes.size != 4 * len(images):
        raise ValueError("there must be a box per image")
    if flips is not None and flips.shape != (len(images),):
        raise ValueError("there must be a flip per image")
    if out is None:
        out = np.empty((len(images), *size, images.shape[3]), images.dtype)
    for number, image in enumerate(images):
        box = (0, 0, *image.shape[:2]) if boxes is None else boxes.reshape(-1, 4)[number].tolist()
        top, left, height, width = box
        if height < 1 or width < 1:
            raise ValueError("a box must have at least one pixel")
        if top < 0 or left < 0 or top + height > image.shape[0] or left + width > image.shape[1]:
            raise ValueError("a box is outside of the image")
        rows, columns = nearest_places(height, size[0]), nearest_places(width, size[1])
        flip = 0 if flips is None else int(flips[number])
        rows, columns = rows[:: -1 if flip & 2 else 1], columns[:: -1 if flip & 1 else 1]
        out[number] = image[top + rows[:, None], left + columns]
    return out


def _take_pixels(
    images: NDArray[Any],
    size: tuple[int, int],
    boxes: NDArray[np.int64] | None = None,
    flips: NDArray[np.uint8] | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    if images.dtype.hasobject or 0 in images.shape or min(size) < 1:
        return take_pixels_twin(images, size, boxes, flips, out)
    item = images.itemsize
    if images.strides[2:] != (item * images.shape[3], item):
        images = np.ascontiguousarray(images)
    if out is None:
        out = np.empty((len(images), *size, images.shape[3]), images.dtype)
    native.take_pixels(
        images.view(np.uint8),
        out.view(np.uint8),
        None if boxes is None else np.ascontiguousarray(boxes, np.int64).reshape(-1),
        None if flips is None else np.ascontiguousarray(flips, np.uint8),
    )
    return out


take_pixels = take_pixels_twin if native is None else _take_pixels
