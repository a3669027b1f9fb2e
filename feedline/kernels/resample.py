"""resample: images cut out, resized, mirrored and made floats in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.taps import METHODS, area_scale, lerps_of, nearest_places, taps_of

__all__ = ["STEPS", "Step", "packed_recipe", "resample", "resample_twin"]

Step = tuple[str, NDArray[np.float32]]
"""What is done to every number: a name of ``STEPS``, and a constant for each channel."""

STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    # As np.clip() does it: NaN stays, and of two zeros the constant is taken.
    "at_least": lambda x, least: np.where(x <= least, least, x),
    "at_most": lambda x, most: np.where(x >= most, most, x),
}
"""The steps by name, in the order of the numbers that the compiled kernel knows them by."""

_CODES = {name: code for code, name in enumerate(STEPS)}
_NOTHING = (np.empty(0, np.uint8), np.empty(0, np.float32))


def resample_twin(  # noqa: PLR0913
    images: NDArray[Any],
    out: NDArray[np.float32],
    method: str,
    antialias: bool,
    boxes: NDArray[np.int64] | None = None,
    flips: NDArray[np.uint8] | None = None,
    before: Sequence[Step] = (),
    after: Sequence[Step] = (),
) -> None:
    """Write images of another size into ``out``.

    Args:
        images: uint8 or float32 ``(n, height, width, channels)``.
        out: float32 ``(n, new_height, new_width, channels)``, contiguous.
        method: One of ``METHODS``.
        antialias: Whether kernels grow where an axis gets shorter.
        boxes: ``(n, 4)``: top, left, height and width of the part that is meant of each.
        flips: For each image 1 to mirror it left to right, 2 top to bottom, 3 for both.
        before: Steps on the numbers of the images.
        after: Steps on the numbers of the results.

    Example:
        >>> made = np.empty((1, 1, 1, 1), np.float32)
        >>> image = np.array([[[[10], [20]], [[30], [40]]]], np.uint8)
        >>> resample(image, made, "bilinear", False, after=[("divide", np.float32([5]))])
        >>> made.item()
        5.0
    """
    _check(images, out, boxes, flips)
    for number, image in enumerate(images):
        top, left, height, width = (
            (0, 0, *image.shape[:2]) if boxes is None else boxes.reshape(-1, 4)[number].tolist()
        )
        _check_box((top, left, height, width), image.shape)
        part = image[top : top + height, left : left + width].astype(np.float32)
        part = _stepped(part, before)
        size = (out.shape[1], out.shape[2])
        made = part if size == part.shape[:2] and method == "bilinear" else None
        if made is None:
            made = _resized(part, size, method, antialias)
        flip = 0 if flips is None else int(flips[number])
        made = made[:: -1 if flip & 2 else 1, :: -1 if flip & 1 else 1]
        out[number] = _stepped(made, after)


def _resample(  # noqa: PLR0913
    images: NDArray[Any],
    out: NDArray[np.float32],
    method: str,
    antialias: bool,
    boxes: NDArray[np.int64] | None = None,
    flips: NDArray[np.uint8] | None = None,
    before: Sequence[Step] = (),
    after: Sequence[Step] = (),
) -> None:
    run = native.resample_bytes if images.dtype == np.uint8 else native.resample_floats
    item = images.itemsize
    if images.size and images.strides[2:] != (item * images.shape[3], item):
        images = np.ascontiguousarray(images)
    run(images, out, *packed_recipe(method, antialias, boxes, flips, before, after))


def packed_recipe(
    method: str,
    antialias: bool,
    boxes: NDArray[np.int64] | None,
    flips: NDArray[np.uint8] | None,
    before: Sequence[Step],
    after: Sequence[Step],
) -> tuple[Any, ...]:
    """Return how images are resampled as compiled kernels take it."""
    return (
        METHODS.index(method),
        antialias,
        None if boxes is None else np.ascontiguousarray(boxes, np.int64).reshape(-1),
        None if flips is None else np.ascontiguousarray(flips, np.uint8),
        *_packed(before),
        *_packed(after),
    )


def _packed(steps: Sequence[Step]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    if not steps:
        return _NOTHING
    codes = np.array([_CODES[name] for name, _ in steps], np.uint8)
    return codes, np.concatenate([constants for _, constants in steps], dtype=np.float32)


def _stepped(image: NDArray[np.float32], steps: Sequence[Step]) -> NDArray[np.float32]:
    with np.errstate(all="ignore"):
        for name, constants in steps:
            if len(constants) != image.shape[-1]:
                raise ValueError("every step must have a constant per channel")
            image = STEPS[name](image, constants)
    return image


def _resized(
    image: NDArray[np.float32], size: tuple[int, int], method: str, antialias: bool
) -> NDArray[np.float32]:
    (height, width), (in_height, in_width) = size, image.shape[:2]
    if method == "nearest":
        rows, columns = nearest_places(in_height, height), nearest_places(in_width, width)
        return image[rows[:, None], columns]
    if method == "bilinear":
        x, y = lerps_of(in_width, width), lerps_of(in_height, height)
        left, right = image[:, x.lower], image[:, x.upper]
        lines = left + (right - left) * x.part[:, None]
        top, bottom = lines[y.lower], lines[y.upper]
        made: NDArray[np.float32] = top + (bottom - top) * y.part[:, None, None]
        return made
    if method == "area":
        summed = _summed(_summed(image, 1, method, width, False), 0, method, height, False)
        return summed * area_scale((in_height, in_width), (height, width))
    return _summed(_summed(image, 0, method, height, antialias), 1, method, width, antialias)


def _summed(
    image: NDArray[np.float32], axis: int, method: str, out: int, antialias: bool
) -> NDArray[np.float32]:
    taps = taps_of(method, image.shape[axis], out, antialias)
    spread = (slice(None), None, None) if axis == 0 else (slice(None), None)
    total: Any = np.float32(0)
    for places, weights in zip(taps.places.T, taps.weights.T, strict=True):
        total = total + np.take(image, places, axis) * weights[spread]
    made: NDArray[np.float32] = total
    return made


def _check(
    images: NDArray[Any],
    out: NDArray[np.float32],
    boxes: NDArray[np.int64] | None,
    flips: NDArray[np.uint8] | None,
) -> None:
    if images.dtype not in (np.uint8, np.float32) or out.dtype != np.float32:
        raise TypeError("images must be uint8 or float32, results float32")
    if images.shape[0] != out.shape[0] or images.shape[3] != out.shape[3]:
        raise ValueError("images and results must be as many, with as many channels")
    if 0 in images.shape[1:]:
        raise ValueError("images must have at least one pixel and one channel")
    if 0 in out.shape[1:3]:
        raise ValueError("height and width must be at least 1")
    if boxes is not None and boxes.size != 4 * len(images):
        raise ValueError("there must be a box per image")
    if flips is not None and flips.shape != (len(images),):
        raise ValueError("there must be a flip per image")


def _check_box(box: tuple[int, ...], shape: tuple[int, ...]) -> None:
    top, left, height, width = box
    if height < 1 or width < 1:
        raise ValueError("a box must have at least one pixel")
    if top < 0 or left < 0 or top + height > shape[0] or left + width > shape[1]:
        raise ValueError("a box is outside of the image")


resample = resample_twin if native is None else _resample
