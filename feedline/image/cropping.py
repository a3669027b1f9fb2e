"""cropping: parts of images, and zeros around them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.column import Column, Objects
from feedline.errors import BuildError
from feedline.graph.rows import Rows, length_of, stacked
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in
from feedline.image.chain import Part, link
from feedline.image.image_operation import image_operation
from feedline.image.leading import (
    images_given,
    on_images,
    on_rows_of_images,
    on_varied_images,
    resized_spec,
)
from feedline.kernels.take_pixels import take_pixels

__all__ = [
    "central_crop",
    "crop_to_bounding_box",
    "pad_to_bounding_box",
    "resize_with_crop_or_pad",
]

Box = tuple[int, int, int, int]


def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """Return a part of images.

    Args:
        image: An image ``[height, width, channels]``, or a batch of them.
        offset_height: How many rows are left out above it.
        offset_width: How many columns are left out to the left of it.
        target_height: Its height.
        target_width: Its width.

    Example:
        >>> crop_to_bounding_box(np.arange(9).reshape(3, 3, 1), 1, 0, 2, 1)[..., 0].tolist()
        [[3], [6]]
    """
    array = images_given("crop_to_bounding_box()", image)
    box = (offset_height, offset_width, target_height, target_width)
    return _crop(array, *map(_length, box))


def central_crop(image: Any, central_fraction: Any) -> Any:
    """Return the middle of images, as large a part of each axis as ``central_fraction`` says.

    Example:
        >>> central_crop(np.arange(16).reshape(4, 4, 1), 0.5)[..., 0].tolist()
        [[5, 6], [9, 10]]
    """
    array = images_given("central_crop()", image)
    fraction = central_fraction
    if isinstance(fraction, Symbol):
        if not fraction.is_constant:
            return _central_crop(array, fraction)
        fraction = fraction.read()
    fraction = float(fraction)
    if not 0 < fraction <= 1:
        raise BuildError(
            "central_crop(): central_fraction must be more than 0 and at most 1, "
            f"got {central_fraction!r}."
        )
    return array if fraction == 1 else _central_crop(array, fraction)


def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """Return images with zeros around them.

    Args:
        image: An image ``[height, width, channels]``, or a batch of them.
        offset_height: How many rows of zeros come above.
        offset_width: How many columns of zeros come to the left.
        target_height: The height of the result.
        target_width: The width of the result.

    Example:
        >>> pad_to_bounding_box(np.ones((1, 1, 1), np.uint8), 0, 1, 2, 2)[..., 0].tolist()
        [[0, 1], [0, 0]]
    """
    array = images_given("pad_to_bounding_box()", image)
    box = (offset_height, offset_width, target_height, target_width)
    return _pad(array, *map(_length, box))


def resize_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Any:
    """Return images of a size: their middle where they are larger, zeros around where smaller.

    Example:
        >>> resize_with_crop_or_pad(np.arange(1, 4).reshape(1, 3, 1), 3, 1)[..., 0].tolist()
        [[0], [2], [0]]
    """
    array = images_given("resize_with_crop_or_pad()", image)
    return _crop_or_pad(array, _length(target_height), _length(target_width))


# ---- crop_to_bounding_box --------------------------------------------------------------


def _crop_spec(image: Any, _top: Any, _left: Any, height: Any, width: Any) -> Any:
    return resized_spec(image, _known(height), _known(width))


def _crop_rows(image: Any, *box: Any) -> NDArray[Any]:
    """Cut other parts out of every image, of one size."""
    if isinstance(box[2], Rows) or isinstance(box[3], Rows):
        raise NotImplementedError
    length = length_of((image, *box))
    images = stacked(image, length)
    if not any(isinstance(number, Rows) for number in box):
        return _cropped(images, *map(int, box))
    if images.ndim != 4:
        raise NotImplementedError
    tops, lefts = (stacked(number, length).astype(np.int64) for number in box[:2])
    height, width = int(box[2]), int(box[3])
    boxes = np.stack(
        [tops, lefts, np.full(length, height, np.int64), np.full(length, width, np.int64)], 1
    )
    return take_pixels(images, (height, width), boxes)


def _crop_columns(image: Any, *box: Any) -> NDArray[Any] | Column:
    if isinstance(image, Rows) or any(isinstance(number, Column) for number in box):
        raise NotImplementedError
    rows = image.rows()
    boxes = np.stack([stacked(number, len(rows)) for number in box], 1).tolist()
    made = [_cropped(row, *map(int, one)) for row, one in zip(rows, boxes, strict=True)]
    if isinstance(box[2], Rows) or isinstance(box[3], Rows) or _differ_in_channels(rows):
        return Objects(made)
    return np.stack(made)


@image_operation(spec=_crop_spec, rows=_crop_rows, columns=_crop_columns)
def _crop(image: Any, *box: Any) -> Any:
    return _cropped(image, *map(int, box))


@link(_crop, "crop_to_bounding_box")
def _crop_link(_image: Any, *box: Any) -> Part:
    is_known = isinstance(box[2], int) and isinstance(box[3], int)
    return Part(_box_of_crop, box, (box[2], box[3]) if is_known else None)


def _box_of_crop(_height: int, _width: int, *box: Any) -> Box:
    top, left, height, width = map(int, box)
    return top, left, height, width


def _cropped(image: NDArray[Any], top: int, left: int, height: int, width: int) -> NDArray[Any]:
    call = "crop_to_bounding_box()"
    _check_at_least(call, 0, offset_width=left, offset_height=top)
    _check_at_least(call, 1, target_width=width, target_height=height)
    in_height, in_width = image.shape[-3:-1]
    for what, length, offset, size in (
        ("width", in_width, left, width),
        ("height", in_height, top, height),
    ):
        if offset + size > length:
            raise BuildError(
                f"{call}: the part must lie inside of the image: its {what} is {length}, got "
                f"offset_{what} {offset} and target_{what} {size}."
            )
    return image[..., top : top + height, left : left + width, :].copy()


# ---- central_crop ----------------------------------------------------------------------


def _central_spec(image: Any, _fraction: Any) -> Any:
    return resized_spec(image, None, None)


def _central_cropped(image: NDArray[Any], fraction: Any) -> NDArray[Any]:
    top, left, height, width = _box_in_the_middle(image.shape[-3], image.shape[-2], fraction)
    return image[..., top : top + height, left : left + width, :].copy()


@image_operation(
    spec=_central_spec,
    rows=on_rows_of_images(_central_cropped),
    columns=on_varied_images(_central_cropped),
)
def _central_crop(image: Any, fraction: Any) -> Any:
    return _central_cropped(image, fraction)


@link(_central_crop, "central_crop")
def _central_link(_image: Any, fraction: Any) -> Part:
    return Part(_box_in_the_middle, (fraction,))


def _box_in_the_middle(height: int, width: int, fraction: Any) -> Box:
    top, left = (int((n - n * float(fraction)) / 2) for n in (float(height), float(width)))
    return top, left, height - 2 * top, width - 2 * left


# ---- pad_to_bounding_box ---------------------------------------------------------------


def _padded(image: NDArray[Any], top: Any, left: Any, height: Any, width: Any) -> NDArray[Any]:
    call = "pad_to_bounding_box()"
    top, left, height, width = map(int, (top, left, height, width))
    _check_at_least(call, 0, offset_height=top, offset_width=left)
    in_height, in_width = image.shape[-3:-1]
    for what, length, offset, size in (
        ("width", in_width, left, width),
        ("height", in_height, top, height),
    ):
        if offset + length > size:
            raise BuildError(
                f"{call}: the image must fit: its {what} is {length}, got offset_{what} "
                f"{offset} and target_{what} {size}."
            )
    out = np.zeros((*image.shape[:-3], height, width, image.shape[-1]), image.dtype)
    out[..., top : top + in_height, left : left + in_width, :] = image
    return out


@image_operation(
    spec=_crop_spec, rows=on_rows_of_images(_padded), columns=on_varied_images(_padded)
)
def _pad(image: Any, *box: Any) -> Any:
    return _padded(image, *box)


# ---- resize_with_crop_or_pad -----------------------------------------------------------


def _crop_or_pad_spec(image: Any, height: Any, width: Any) -> Any:
    return resized_spec(image, _known(height), _known(width))


def _cropped_or_padded(image: NDArray[Any], height: Any, width: Any) -> NDArray[Any]:
    height, width = int(height), int(width)
    _check_at_least("resize_with_crop_or_pad()", 1, target_width=width, target_height=height)
    in_height, in_width = image.shape[-3:-1]
    tall, wide = min(height, in_height), min(width, in_width)
    top, left = max(-(height - in_height) // 2, 0), max(-(width - in_width) // 2, 0)
    part = image[..., top : top + tall, left : left + wide, :]
    if (tall, wide) == (height, width):
        return part.copy()
    above, before = max((height - in_height) // 2, 0), max((width - in_width) // 2, 0)
    out = np.zeros((*image.shape[:-3], height, width, image.shape[-1]), image.dtype)
    out[..., above : above + tall, before : before + wide, :] = part
    return out


def _crop_or_pad_columns(image: Any, height: Any, width: Any) -> NDArray[Any] | Column:
    if isinstance(image, Rows) or any(isinstance(n, (Rows, Column)) for n in (height, width)):
        raise NotImplementedError
    rows = image.rows()
    made = [_cropped_or_padded(row, height, width) for row in rows]
    return Objects(made) if _differ_in_channels(rows) else np.stack(made)


@image_operation(
    spec=_crop_or_pad_spec,
    rows=on_rows_of_images(_cropped_or_padded),
    columns=_crop_or_pad_columns,
)
def _crop_or_pad(image: Any, height: Any, width: Any) -> Any:
    return on_images(_cropped_or_padded, image, height, width)


# ---- arguments -------------------------------------------------------------------------


def _length(value: Any) -> Any:
    """Return a length as an int, or as what stands for one that differs between elements."""
    if isinstance(value, Symbol):
        return int(value) if value.is_constant else value
    return int(given(value))


def _known(length: Any) -> int | None:
    return None if symbols_in(length) else int(length)


def _check_at_least(call: str, least: int, **numbers: int) -> None:
    for name, number in numbers.items():
        if number < least:
            raise BuildError(f"{call}: {name} must be at least {least}, got {number}.")


def _differ_in_channels(rows: list[NDArray[Any]]) -> bool:
    return len({(*row.shape[:-3], row.shape[-1]) for row in rows}) != 1
