"""random_resizing: a random part of an image, brought to one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given, static_ints
from feedline.errors import BuildError, InvalidArgumentError
from feedline.graph.opaque import Opaque
from feedline.graph.rows import length_of, stacked
from feedline.image.chain import Part, Resize, link
from feedline.image.float_images import checked_image
from feedline.image.image_draws import unit_draws
from feedline.image.image_operation import image_operation, known_spec
from feedline.image.random_parts import ATTEMPTS, Range, checked_ranges, part_of
from feedline.image.resizing import ResizeMethod, kernel_of
from feedline.kernels.resample import resample
from feedline.kernels.take_pixels import take_pixels
from feedline.leaf_spec import TensorSpec

__all__ = ["random_resized_crop"]


def random_resized_crop(
    image: Any,
    size: Any,
    scale: Sequence[float] = (0.08, 1.0),
    ratio: Sequence[float] = (3 / 4, 4 / 3),
    method: str = ResizeMethod.BILINEAR,
    antialias: bool = False,
    seed: int | None = None,
) -> Any:
    """Return a random part of an image, resized: the augmentation most image models train with.

    The part is a random share of the area, of a random shape, at a random place (Szegedy et
    al. 2014, "Going deeper with convolutions"). Where none of ten draws fits into the image,
    it is the largest part in the middle with a ratio that is allowed. Inside a
    transformation the draws depend on the element: the same on any number of workers,
    others in the next epoch.

    Args:
        image: [height, width, channels], or a batch of these, of which each is drawn for.
        size: The height and width of the result.
        scale: The smallest and the largest share of the area.
        ratio: The lowest and the highest width by height.
        method: How to resize, see resize().
        antialias: Whether to smooth where the part gets smaller, see resize().
        seed: Makes the draws the same in every iteration.

    Returns:
        An image of this size with the dtype that resize() gives: float32, or that of the
        image for method "nearest".

    Example:
        >>> import numpy as np
        >>> random_resized_crop(np.zeros((50, 40, 3), np.uint8), (8, 8)).shape
        (8, 8, 3)
    """
    call = "random_resized_crop()"
    wanted = static_ints(size)
    if wanted is None or len(wanted) != 2 or min(wanted) < 1:
        raise BuildError(f"{call}: size must be a height and a width above 0, got {size!r}.")
    if method not in vars(ResizeMethod).values():
        raise BuildError(f"{call}: method must be one of ResizeMethod, got {method!r}.")
    ranges = checked_ranges(call, scale, ratio)
    array = image if isinstance(image, Opaque) else given(image)
    draws = unit_draws(call, array, (ATTEMPTS, 4), seed)
    return _part_resized(array, draws, wanted, *ranges, method, bool(antialias))


def _of_size(
    image: Any,
    _draws: Any,
    size: tuple[int, ...],
    _scale: Range,
    _ratio: Range,
    method: str,
    _antialias: bool,
) -> TensorSpec:
    known = known_spec(image)
    shape = None if known.shape is None else (*known.shape[:-3], *size, known.shape[-1])
    return TensorSpec(shape, known.dtype if method == "nearest" else np.float32)


def _rows(image: Any, draws: Any, *settings: Any) -> NDArray[Any]:
    length = length_of((image, draws))
    return _resized(stacked(image, length), stacked(draws, length), *settings)


@image_operation(_of_size, _rows)
def _part_resized(image: Any, draws: Any, *settings: Any) -> Any:
    array = checked_image("random_resized_crop()", image)
    return _resized(array[None], np.asarray(draws)[None], *settings)[0]


@link(_part_resized, "random_resized_crop")
def _part_resized_link(
    _image: Any,
    draws: Any,
    size: tuple[int, ...],
    scale: Range,
    ratio: Range,
    method: str,
    antialias: bool,
) -> Resize:
    part = Part(_box, (draws, scale, ratio))
    return Resize((size[0], size[1]), kernel_of(method, antialias), antialias, part)


def _box(
    height: int, width: int, draws: Any, scale: Range, ratio: Range
) -> tuple[int, int, int, int]:
    return part_of(draws, height, width, scale, ratio) or _middle(height, width, ratio)


def _resized(
    images: NDArray[Any],
    draws: NDArray[Any],
    size: tuple[int, int],
    scale: Range,
    ratio: Range,
    method: str,
    antialias: bool,
) -> NDArray[Any]:
    """Return parts of images [..., height, width, channels], which have draws each, resized."""
    *leading, height, width, channels = images.shape
    if 0 in images.shape[-3:]:
        raise InvalidArgumentError(
            "random_resized_crop(): the image must not be empty, got shape "
            f"{[height, width, channels]}."
        )
    flat = images.reshape(-1, height, width, channels)
    drawn = draws.reshape(-1, *draws.shape[-2:])
    boxes = [_box(height, width, its, scale, ratio) for its in drawn]
    places = np.array(boxes, np.int64).reshape(-1, 4)
    if method == ResizeMethod.NEAREST_NEIGHBOR:
        made = take_pixels(flat, size, places)
    else:
        if flat.dtype not in (np.uint8, np.float32):
            flat = flat.astype(np.float32)
        made = np.empty((len(flat), *size, channels), np.float32)
        resample(flat, made, kernel_of(method, antialias), antialias, places)
    return made.reshape(*leading, *made.shape[1:])


def _middle(height: int, width: int, ratio: Range) -> tuple[int, int, int, int]:
    """Return the largest part in the middle of an image whose ratio is allowed."""
    rows, columns = height, width
    if width / height < ratio[0]:
        rows = min(height, max(round(width / ratio[0]), 1))
    elif width / height > ratio[1]:
        columns = min(width, max(round(height * ratio[1]), 1))
    return (height - rows) // 2, (width - columns) // 2, rows, columns
