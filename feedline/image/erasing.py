"""erasing: a random rectangle of an image painted over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.errors import BuildError, InvalidArgumentError
from feedline.graph.opaque import Opaque
from feedline.graph.rows import length_of, stacked
from feedline.image.float_images import checked_image
from feedline.image.image_draws import unit_draws
from feedline.image.image_operation import image_operation
from feedline.image.random_parts import ATTEMPTS, Range, checked_ranges, part_of

__all__ = ["random_erasing"]


def random_erasing(
    image: Any,
    probability: float = 0.5,
    scale: Sequence[float] = (0.02, 0.4),
    ratio: Sequence[float] = (0.3, 1 / 0.3),
    value: Any = "random",
    seed: int | None = None,
) -> Any:
    """Return an image with a random rectangle painted over, or as it is.

    "Random Erasing Data Augmentation" (Zhong et al. 2017), with the paper's defaults; where
    none of ten rectangles fits, the image stays as it is. Inside a transformation the draws
    depend on the element: the same on any number of workers, others in the next epoch.

    Args:
        image: [height, width, channels], or a batch of these, of which each is drawn for.
        probability: How likely a rectangle is.
        scale: The smallest and the largest share of the area that is painted over.
        ratio: The lowest and the highest width by height.
        value: What is painted: "random" for noise, from 0 to the highest integer of the
            dtype, or 1 for floats; or a number; or one for each channel.
        seed: Makes the draws the same in every iteration.

    Example:
        >>> import numpy as np
        >>> image = random_erasing(np.ones((10, 10, 3), np.uint8), probability=1.0, value=0)
        >>> bool(0 < (image == 0).mean() < 0.5)
        True
    """
    call = "random_erasing()"
    if not 0 <= probability <= 1:
        raise BuildError(f"{call}: probability must be from 0 to 1, got {probability}.")
    ranges = checked_ranges(call, scale, ratio)
    paint = None
    if not isinstance(value, str):
        paint = np.asarray(value)
    elif value != "random":
        raise BuildError(f'{call}: value must be "random" or numbers, got {value!r}.')
    array = image if isinstance(image, Opaque) else given(image)
    draws = unit_draws(call, array, (ATTEMPTS + 1, 4), seed)
    return _erased(array, draws, float(probability), *ranges, paint)


def _rows(image: Any, draws: Any, *settings: Any) -> NDArray[Any]:
    length = length_of((image, draws))
    images, drawn = stacked(image, length), stacked(draws, length)
    made = images.copy()
    for one, its in zip(made, drawn, strict=True):
        _erase(one, its, *settings)
    return made


@image_operation(rows=_rows)
def _erased(image: Any, draws: Any, *settings: Any) -> Any:
    made = checked_image("random_erasing()", image).copy()
    _erase(made, draws, *settings)
    return made


def _erase(
    image: NDArray[Any],
    draws: NDArray[Any],
    probability: float,
    scale: Range,
    ratio: Range,
    paint: NDArray[Any] | None,
) -> None:
    """Paint over a part of an image, or of each image of a batch."""
    if image.ndim == 4:
        for one, its in zip(image, draws, strict=True):
            _erase(one, its, probability, scale, ratio, paint)
        return
    decision = draws[0]
    found = part_of(draws[1:], image.shape[0], image.shape[1], scale, ratio)
    if decision[0] >= probability or found is None:
        return
    top, left, rows, columns = found
    part = image[top : top + rows, left : left + columns]
    if paint is None:
        part[...] = _noise(part, decision[1])
        return
    try:
        part[...] = paint
    except ValueError as error:
        raise InvalidArgumentError(
            f"random_erasing(): value must be one number, or one for each of "
            f"{image.shape[2]} channels, got shape {list(paint.shape)}."
        ) from error


def _noise(part: NDArray[Any], draw: float) -> NDArray[Any]:
    # The rectangle's size is not known when numbers are drawn: one of them begins a stream.
    stream = np.random.Generator(np.random.Philox(key=int(draw * 2**53)))
    if part.dtype.kind == "f":
        return stream.random(part.shape).astype(part.dtype)
    return stream.integers(0, np.iinfo(part.dtype).max, part.shape, part.dtype, endpoint=True)
