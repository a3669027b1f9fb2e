"""patches: many parts of images at once, resized or side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given, static_ints
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.graph.rows import Rows
from feedline.graph.symbol import Symbol
from feedline.image.image_operation import image_operation, known_spec
from feedline.spec import TensorSpec

__all__ = ["crop_and_resize", "extract_patches"]

_F = np.float32


def crop_and_resize(
    image: Any,
    boxes: Any,
    box_indices: Any,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Any:
    """Return parts of images as float32, all of one size.

    Args:
        image: A batch of images ``[batch, height, width, channels]``.
        boxes: ``[num_boxes, 4]``: y1, x1, y2, x2 of each part, from 0 to 1 inside the image.
        box_indices: Which image each box is of.
        crop_size: Height and width of the results.
        method: "bilinear" or "nearest".
        extrapolation_value: What is outside of an image.
        name: No effect.

    Example:
        >>> image = np.arange(9, dtype=np.float32).reshape(1, 3, 3, 1)
        >>> crop_and_resize(image, [[0, 0, 1, 1]], [0], [2, 2])[..., 0].tolist()
        [[[0.0, 2.0], [6.0, 8.0]]]
    """
    call = "crop_and_resize()"
    size = static_ints(crop_size)
    if size is None or len(size) != 2:
        raise BuildError(f"{call}: crop_size must be two integers, got {crop_size!r}.")
    if min(size) < 1:
        raise InvalidArgumentError(f"{call}: crop_size must be at least 1, got {list(size)}.")
    if method not in ("bilinear", "nearest"):
        raise InvalidArgumentError(f"{call}: method must be bilinear or nearest, got {method!r}.")
    indices = given(box_indices)
    if indices.dtype.kind not in "iu":
        raise BuildTypeError(f"{call}: box_indices must be integers, got {indices.dtype}.")
    return _crop_and_resize(
        given(image), given(boxes, _F), indices, size, method, float(extrapolation_value)
    )


def _crops_rows(image: Any, boxes: Any, indices: Any, *rest: Any) -> NDArray[Any]:
    if not isinstance(image, Rows) or isinstance(boxes, Rows) or isinstance(indices, Rows):
        raise NotImplementedError
    length, batch = image.array.shape[:2]
    whole = image.array.reshape(length * batch, *image.array.shape[2:])
    _check_crops(whole[:batch], np.asarray(boxes), np.asarray(indices))
    every = (np.arange(length)[:, None] * batch + np.asarray(indices)).reshape(-1)
    made = _crops(whole, np.tile(boxes, (length, 1)), every, *rest)
    return made.reshape(length, -1, *made.shape[1:])


def _crops_spec(image: Any, boxes: Any, _indices: Any, size: Any, *_rest: Any) -> TensorSpec:
    count, shape = known_spec(boxes).shape, known_spec(image).shape
    channels = None if shape is None else shape[-1]
    return TensorSpec((None if count is None else count[0], *size, channels), _F)


@image_operation(spec=_crops_spec, rows=_crops_rows)
def _crop_and_resize(
    image: Any, boxes: Any, indices: Any, size: Any, method: str, beyond: float
) -> Any:
    _check_crops(image, boxes, indices)
    return _crops(image, boxes, indices, size, method, beyond)


def _check_crops(image: NDArray[Any], boxes: NDArray[Any], indices: NDArray[Any]) -> None:
    call = "crop_and_resize()"
    if image.ndim != 4:
        raise InvalidArgumentError(f"{call}: the image must have 4 axes, got {image.ndim}.")
    if 0 in image.shape[1:3]:
        raise InvalidArgumentError(f"{call}: images must have pixels, got {list(image.shape)}.")
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise InvalidArgumentError(
            f"{call}: boxes must have the shape [num_boxes, 4], got {list(boxes.shape)}."
        )
    if indices.shape != boxes.shape[:1]:
        raise InvalidArgumentError(
            f"{call}: there must be an index per box, got {list(indices.shape)} of them for "
            f"{len(boxes)} boxes."
        )
    if not np.isfinite(boxes).all():
        raise InvalidArgumentError(f"{call}: boxes must be finite, got {boxes.tolist()}.")
    if ((indices < 0) | (indices >= len(image))).any():
        raise InvalidArgumentError(
            f"{call}: box_indices must be from 0 to {len(image) - 1}, got {indices.tolist()}."
        )


def _crops(
    image: NDArray[Any],
    boxes: NDArray[Any],
    indices: NDArray[Any],
    size: tuple[int, int],
    method: str,
    beyond: float,
) -> NDArray[Any]:
    boxes = boxes.astype(_F, copy=False)
    height, width = image.shape[1:3]
    ys = _places(boxes[:, 0], boxes[:, 2], height, size[0])
    xs = _places(boxes[:, 1], boxes[:, 3], width, size[1])
    inside_y, inside_x = (ys >= 0) & (ys <= height - 1), (xs >= 0) & (xs <= width - 1)
    y, x = np.where(inside_y, ys, _F(0)), np.where(inside_x, xs, _F(0))
    number = indices.reshape(-1, 1, 1)

    def at(rows: NDArray[Any], columns: NDArray[Any]) -> NDArray[Any]:
        found = image[number, rows.astype(np.int64)[:, :, None], columns.astype(np.int64)[:, None]]
        numbers: NDArray[Any] = found.astype(_F)
        return numbers

    if method == "nearest":
        # Halves away from zero, which no place is below.
        made = at(np.floor(y + _F(0.5)), np.floor(x + _F(0.5)))
    else:
        top, left = np.floor(y), np.floor(x)
        bottom, right = np.ceil(y), np.ceil(x)
        part_x, part_y = (x - left)[:, None, :, None], (y - top)[:, :, None, None]
        upper, lower = at(top, left), at(bottom, left)
        upper = upper + (at(top, right) - upper) * part_x
        lower = lower + (at(bottom, right) - lower) * part_x
        made = upper + (lower - upper) * part_y
    inside = inside_y[:, :, None, None] & inside_x[:, None, :, None]
    return np.where(inside, made, _F(beyond))


def _places(low: NDArray[Any], high: NDArray[Any], length: int, size: int) -> NDArray[Any]:
    """Return where in an axis the numbers of each result lie."""
    last = _F(length - 1)
    if size == 1:
        middle = 0.5 * (low + high).astype(np.float64) * (length - 1)
        single: NDArray[Any] = middle.astype(_F)[:, None]
        return single
    scale = (high - low) * last / _F(size - 1)
    made: NDArray[Any] = (low * last)[:, None] + np.arange(size, dtype=_F) * scale[:, None]
    return made


def extract_patches(
    images: Any,
    sizes: Any,
    strides: Any,
    rates: Any,
    padding: str,
    name: str | None = None,
) -> Any:
    """Return small parts of images from all over them, the numbers of each in a row.

    Args:
        images: A batch of images ``[batch, height, width, channels]``.
        sizes: ``[1, height, width, 1]`` of a patch.
        strides: ``[1, rows, columns, 1]`` from one patch to the next.
        rates: ``[1, rows, columns, 1]`` from one pixel of a patch to the next.
        padding: "VALID" for patches inside of the image, "SAME" for zeros around it.
        name: No effect.

    Example:
        >>> image = np.arange(9).reshape(1, 3, 3, 1)
        >>> extract_patches(image, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID")[0, 0]
        array([[0, 1, 3, 4],
               [1, 2, 4, 5]])
    """
    call = "extract_patches()"
    named = {"sizes": sizes, "strides": strides, "rates": rates}
    lengths = {what: _four(call, what, value) for what, value in named.items()}
    if padding not in ("VALID", "SAME"):
        raise BuildError(f"{call}: padding must be VALID or SAME, got {padding!r}.")
    array = given(images)
    if not isinstance(array, (np.ndarray, Symbol)) or array.ndim != 4:
        raise BuildError(f"{call}: images must have 4 axes, got {images!r}.")
    return _extract(array, lengths["sizes"], lengths["strides"], lengths["rates"], padding)


def _four(call: str, what: str, value: Any) -> tuple[int, int]:
    lengths = static_ints(value)
    if lengths is None or len(lengths) != 4 or lengths[0] != 1 or lengths[3] != 1:
        raise BuildError(f"{call}: {what} must be [1, height, width, 1], got {value!r}.")
    if min(lengths) < 1:
        raise BuildError(f"{call}: {what} must be at least 1, got {list(lengths)}.")
    return lengths[1], lengths[2]


def _patches(
    images: NDArray[Any], sizes: Any, strides: Any, rates: Any, padding: str
) -> NDArray[Any]:
    places, pads = [], []
    for axis in range(2):
        length, size = images.shape[axis - 3], sizes[axis]
        reach = size + (size - 1) * (rates[axis] - 1)
        if padding == "VALID":
            count = max(-(-(length - reach + 1) // strides[axis]), 0)
            pads.append((0, 0))
        else:
            count = -(-length // strides[axis])
            missing = max((count - 1) * strides[axis] + reach - length, 0)
            pads.append((missing // 2, missing - missing // 2))
        starts = np.arange(count) * strides[axis]
        places.append(starts[:, None] + np.arange(size) * rates[axis])
    leading = images.ndim - 3
    images = np.pad(images, [(0, 0)] * leading + [*pads, (0, 0)])
    rows, columns = places
    found = images[..., rows[:, None, :, None], columns[None, :, None, :], :]
    depth = sizes[0] * sizes[1] * images.shape[-1]
    return found.reshape(*found.shape[: leading + 2], depth)


def _patches_rows(images: Any, *args: Any) -> NDArray[Any]:
    return _patches(images.array, *args)


def _patches_spec(images: Any, sizes: Any, *_rest: Any) -> TensorSpec:
    spec = known_spec(images)
    if spec.shape is None:
        return TensorSpec(None, spec.dtype)
    channels = spec.shape[-1]
    depth = None if channels is None else channels * sizes[0] * sizes[1]
    return TensorSpec((spec.shape[0], None, None, depth), spec.dtype)


@image_operation(spec=_patches_spec, rows=_patches_rows)
def _extract(images: Any, sizes: Any, strides: Any, rates: Any, padding: str) -> Any:
    return _patches(images, sizes, strides, rates, padding)
