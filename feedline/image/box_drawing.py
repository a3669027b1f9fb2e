"""box_drawing: the outlines of boxes on images."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.errors import BuildTypeError, InvalidArgumentError
from feedline.graph.rows import length_of, stacked
from feedline.image.float_images import checked_image
from feedline.image.image_operation import image_operation

__all__ = ["draw_bounding_boxes"]

_COLORS = (
    (1, 1, 0, 1),  # yellow
    (0, 0, 1, 1),  # blue
    (1, 0, 0, 1),  # red
    (0, 1, 0, 1),  # lime
    (0.5, 0, 0.5, 1),  # purple
    (0.5, 0.5, 0, 1),  # olive
    (0.5, 0, 0, 1),  # maroon
    (0, 0, 0.5, 1),  # navy
    (0, 1, 1, 1),  # aqua
    (1, 0, 1, 1),  # fuchsia
)


def _rows(images: Any, boxes: Any, colors: Any, name: str | None = None) -> NDArray[Any]:
    length = length_of((images, boxes, colors))
    given_rows = [stacked(value, length) for value in (images, boxes)]
    colored = [None] * length if colors is None else stacked(colors, length)
    return np.stack([draw_bounding_boxes(*one) for one in zip(*given_rows, colored, strict=True)])


@image_operation(rows=_rows)
def draw_bounding_boxes(images: Any, boxes: Any, colors: Any, name: str | None = None) -> Any:
    """Return images with the outlines of boxes drawn on them.

    Args:
        images: Floats, [batch, height, width, channels] with 1, 3 or 4 channels.
        boxes: [batch, count, 4]: ymin, xmin, ymax, xmax, from 0 to 1.
        colors: Their colours, [count, channels], taken in turn; None for ten of them.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> image = np.zeros((1, 3, 4, 1), np.float32)
        >>> draw_bounding_boxes(image, [[[0.0, 0.0, 0.5, 0.5]]], [[1.0]])[0, :, :, 0]
        array([[1., 1., 0., 0.],
               [1., 1., 0., 0.],
               [0., 0., 0., 0.]], dtype=float32)
    """
    call = "draw_bounding_boxes()"
    array = checked_image(call, images)
    if array.dtype not in (np.float16, np.float32):
        raise BuildTypeError(
            f"{call}: images must be float32 or float16, got {array.dtype}. "
            "Use convert_image_dtype(images, 'float32') before."
        )
    corners = np.asarray(given(boxes), np.float32)
    depth = array.shape[-1]
    if array.ndim != 4 or depth not in (1, 3, 4):
        raise InvalidArgumentError(
            f"{call}: images must be [batch, height, width, channels] with 1, 3 or 4 channels, "
            f"got shape {list(array.shape)}."
        )
    if corners.ndim != 3 or corners.shape[2] != 4 or len(corners) != len(array):
        raise InvalidArgumentError(
            f"{call}: boxes must be [batch, count, 4] for a batch of {len(array)}, got shape "
            f"{list(corners.shape)}."
        )
    palette = _palette(call, colors, depth).astype(array.dtype)
    made: NDArray[Any] = array.copy()
    for image, some in zip(made, corners, strict=True):
        for number, box in enumerate(some):
            _draw(image, box, palette[number % len(palette)])
    return made


def _palette(call: str, colors: Any, depth: int) -> NDArray[Any]:
    table = np.empty((0, depth)) if colors is None else np.asarray(given(colors), np.float32)
    if table.ndim != 2 or table.shape[1] < depth:
        raise InvalidArgumentError(
            f"{call}: colors must be [count, channels] with at least {depth} channels, got shape "
            f"{list(table.shape)}."
        )
    if not table.size:
        table = np.array(_COLORS, np.float32)
        if depth == 1:
            table[:, 0] = 1
    return table[:, :depth]


def _draw(image: NDArray[Any], box: NDArray[Any], color: NDArray[Any]) -> None:
    height, width = image.shape[:2]
    if not np.isfinite(box).all():
        return
    steps = np.array([height - 1, width - 1] * 2, np.float32)
    top, left, bottom, right = (int(place) for place in box * steps)
    if top > bottom or left > right:
        return
    if top >= height or bottom < 0 or left >= width or right < 0:
        return
    rows = slice(max(top, 0), min(bottom, height - 1) + 1)
    columns = slice(max(left, 0), min(right, width - 1) + 1)
    if top >= 0:
        image[top, columns] = color
    if bottom < height:
        image[bottom, columns] = color
    if left >= 0:
        image[rows, left] = color
    if right < width:
        image[rows, right] = color
