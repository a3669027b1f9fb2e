"""distorted_boxes: random parts of images that show enough of what is in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError, check_at_least
from feedline.graph.operation import operation
from feedline.graph.rows import Rows, length_of, stacked
from feedline.graph.rule import batched
from feedline.graph.streams import Streams
from feedline.image.image_draws import drawn_seeds
from feedline.random.seeds import one_seed, seed_streams

__all__ = ["SampledBox", "sample_distorted_bounding_box", "stateless_sample_distorted_bounding_box"]


class SampledBox(NamedTuple):
    """A part of an image: ``slice(image, begin, size)``, and the same as a box from 0 to 1."""

    begin: Any
    size: Any
    bboxes: Any


def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int = 0,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Sequence[float] | None = None,
    area_range: Sequence[float] | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> Any:
    """Return a random part of an image that shows enough of one of its objects.

    Inside a transformation the draw depends on the element: the same on any number of
    workers, another one in the next epoch.

    Args:
        image_size: Three integers: height, width and channels.
        bounding_boxes: Where the objects are, [batch, count, 4]: ymin, xmin, ymax, xmax, from
            0 to 1.
        seed: Other than 0, makes the draws the same in every iteration.
        min_object_covered: Which part of an object the result must show at least.
        aspect_ratio_range: The lowest and the highest ratio of width to height, by default
            0.75 and 1.33.
        area_range: The smallest and the largest part of the image, by default 0.05 and 1.
        max_attempts: How often to try before the whole image is returned, by default 100.
        use_image_if_no_bounding_boxes: Whether the image is the object if there are no boxes;
            by default that is an error.
        name: Has no effect.

    Returns:
        A named tuple: begin, [offset_height, offset_width, 0], and size, [height, width, -1],
        which are what slice() takes, and bboxes, float32 [1, 1, 4].

    Example:
        >>> import feedline as tf
        >>> box = [[[0.1, 0.2, 0.9, 0.8]]]
        >>> begin, size, _ = tf.image.sample_distorted_bounding_box([20, 30, 3], box)
        >>> tf.slice(tf.zeros((20, 30, 3)), begin, size).shape == (*size[:2], 3)
        True
    """
    call = "sample_distorted_bounding_box()"
    settings = _settings(
        call, aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes
    )
    drawn = drawn_seeds(call, seed or None)
    size, boxes = given(image_size), given(bounding_boxes)
    return _sampled(call, size, boxes, drawn, min_object_covered, *settings)


def stateless_sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: Any,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Sequence[float] | None = None,
    area_range: Sequence[float] | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> Any:
    """Return a part of an image as sample_distorted_bounding_box(), as a function of the seed.

    Args:
        image_size: As there.
        bounding_boxes: As there.
        seed: Two integers.
        min_object_covered: As there.
        aspect_ratio_range: As there.
        area_range: As there.
        max_attempts: As there.
        use_image_if_no_bounding_boxes: As there.
        name: Has no effect.

    Example:
        >>> box = [[[0.1, 0.2, 0.9, 0.8]]]
        >>> stateless_sample_distorted_bounding_box([20, 30, 3], box, seed=(1, 2)).begin
        array([12, 15,  0], dtype=int32)
    """
    call = "stateless_sample_distorted_bounding_box()"
    settings = _settings(
        call, aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes
    )
    size, boxes = given(image_size), given(bounding_boxes)
    return _sampled(call, size, boxes, seed, min_object_covered, *settings)


def _settings(
    call: str, ratios: Any, areas: Any, attempts: Any, whole: Any
) -> tuple[tuple[float, float], tuple[float, float], int, bool]:
    low, high = _two(call, "aspect_ratio_range", (0.75, 1.33) if ratios is None else ratios)
    small, large = _two(call, "area_range", (0.05, 1.0) if areas is None else areas)
    if small > 1 or large > 1:
        raise BuildError(f"{call}: area_range must be at most 1, got {[small, large]}.")
    count = check_at_least(call, "max_attempts", 100 if attempts is None else attempts, 1)
    return (low, high), (small, large), count, bool(whole)


def _two(call: str, name: str, pair: Sequence[float]) -> tuple[float, float]:
    if len(pair) != 2 or pair[0] <= 0 or pair[1] <= 0:
        raise BuildError(f"{call}: {name} must be two numbers above 0, got {list(pair)}.")
    return float(pair[0]), float(pair[1])


# ---- drawing --------------------------------------------------------------------------------


@operation
def _sampled(call: str, image_size: Any, boxes: Any, seed: Any, *settings: Any) -> Any:
    words = seed_streams(call, one_seed(seed), 1)
    return _one_sample(call, image_size, boxes, words, words.words(_FEW)[0], *settings)


@batched(_sampled, fresh=True)
def _sampled_rows(call: str, image_size: Any, boxes: Any, seed: Any, *settings: Any) -> Any:
    if any(isinstance(setting, Rows) for setting in settings):
        raise NotImplementedError
    length = length_of((image_size, boxes, seed))
    streams = seed_streams(call, seed, length)
    first = streams.words(_FEW)
    made = [
        _one_sample(call, size, its, streams.take(np.array([row])), first[row], *settings)
        for row, (size, its) in enumerate(
            zip(stacked(image_size, length), stacked(boxes, length), strict=True)
        )
    ]
    return SampledBox(*(np.stack(parts) for parts in zip(*made, strict=True)))


def _one_sample(
    call: str,
    image_size: Any,
    bounding_boxes: Any,
    stream: Streams,
    first: NDArray[np.uint32],
    covered: Any,
    ratios: tuple[float, float],
    areas: tuple[float, float],
    attempts: int,
    whole: bool,
) -> SampledBox:
    sizes = np.asarray(image_size)
    if sizes.dtype.kind not in "iu":
        raise BuildTypeError(f"{call}: image_size must be integers, got {sizes.dtype}.")
    if sizes.shape != (3,):
        raise InvalidArgumentError(
            f"{call}: image_size must be height, width and channels, got {image_size!r}."
        )
    least = np.float32(covered)
    if not least >= 0:
        raise BuildError(f"{call}: min_object_covered must not be negative, got {covered}.")
    height, width = (int(side) for side in sizes[:2])
    objects = _objects(call, bounding_boxes, height, width)
    if not objects:
        if not whole:
            raise InvalidArgumentError(
                f"{call}: there are no bounding boxes. "
                "Pass use_image_if_no_bounding_boxes=True to take the image for one."
            )
        objects = [(0, 0, height, width)]
    words = _words(stream, first)
    crop = _found(words, height, width, objects, least, ratios, areas, attempts)
    top, left, bottom, right = (0, 0, height, width) if crop is None else crop
    scale = np.array([height, width, height, width], np.float32)
    box = np.array([top, left, bottom, right], np.float32) / scale
    return SampledBox(
        np.array([top, left, 0], sizes.dtype),
        np.array([bottom - top, right - left, -1]).astype(sizes.dtype),
        box.reshape(1, 1, 4),
    )


_Box = tuple[int, int, int, int]


def _objects(call: str, boxes: Any, height: int, width: int) -> list[_Box]:
    array = np.asarray(boxes, np.float32)
    if array.ndim != 3 or array.shape[2] != 4:
        raise InvalidArgumentError(
            f"{call}: bounding_boxes must have the shape [batch, count, 4], got "
            f"{list(array.shape)}."
        )
    bad = array[~((array >= 0) & (array <= 1))]
    if bad.size:
        raise InvalidArgumentError(
            f"{call}: bounding_boxes must be from 0 to 1, got {bad[0]}. Divide by the image's size."
        )
    corners = array.reshape(-1, 4) * np.array([height, width] * 2, np.float32)
    return [(one[0], one[1], one[2], one[3]) for one in corners.astype(np.int32).tolist()]


def _found(
    words: Iterator[int],
    height: int,
    width: int,
    objects: list[_Box],
    least: np.float32,
    ratios: tuple[float, float],
    areas: tuple[float, float],
    attempts: int,
) -> _Box | None:
    low, high = np.float32(ratios[0]), np.float32(ratios[1])
    sides = np.float32(width), np.float32(height)
    smallest = np.float32(areas[0]) * sides[0] * sides[1]
    largest = np.float32(areas[1]) * sides[0] * sides[1]
    for _ in range(attempts):
        unit = np.float32((next(words) & 0x7FFFFF) * 2.0**-23)
        ratio = unit * (high - low) + low
        crop = _one_crop(words, height, width, smallest, largest, ratio)
        if crop is not None and any(_shows(crop, one, least) for one in objects):
            return crop
    return None


# How many numbers are enough in general.
_FEW = 16


def _words(stream: Streams, first: NDArray[np.uint32]) -> Iterator[int]:
    """Yield the numbers of a stream, of which the first are known."""
    yield from first.tolist()
    done, count = len(first), 4 * len(first)
    while True:
        yield from stream.words(count)[0, done:].tolist()
        done, count = count, 4 * count


def _one_crop(
    words: Iterator[int],
    height: int,
    width: int,
    smallest: np.float32,
    largest: np.float32,
    ratio: np.float32,
) -> _Box | None:
    """Return a part of about a ratio of width to height, or None if it does not fit."""
    if largest <= 0 or ratio <= 0 or width <= 0 or height <= 0 or smallest > largest:
        return None
    rows = _rounded(np.sqrt(smallest / ratio))
    most = _rounded(np.sqrt(largest / ratio))
    if _rounded(np.float32(most) * ratio) > width:
        most = int((width + 0.5 - float(np.float32(1e-7))) / float(ratio))
        if _rounded(np.float32(most) * ratio) > width:
            most -= 1
    most = min(most, height)
    rows = min(rows, most)
    if rows < most:
        rows += _below(words, most - rows + 1)
    columns = _rounded(np.float32(rows) * ratio)
    area = np.float32(columns * rows)
    if area < smallest:
        rows += 1
        columns = _rounded(np.float32(rows) * ratio)
        area = np.float32(columns * rows)
    if area > largest:
        rows -= 1
        columns = _rounded(np.float32(rows) * ratio)
        area = np.float32(columns * rows)
    if area < smallest or area > largest:
        return None
    if columns > width or rows > height or columns <= 0 or rows <= 0:
        return None
    top = _below(words, height - rows) if rows < height else 0
    left = _below(words, width - columns) if columns < width else 0
    return top, left, top + rows, left + columns


def _rounded(value: np.float32) -> int:
    return round(float(value))  # to even, as in C


def _below(words: Iterator[int], bound: int) -> int:
    """Return a number below a bound, all equally likely: TensorFlow's way of rejecting others."""
    if bound & (bound - 1) == 0:
        return next(words) & (bound - 1)
    rejected = (2**32 - 1) % bound + 1
    for word in words:
        if word >= rejected:
            return word % bound
    raise AssertionError("a stream does not end")


def _shows(crop: _Box, one: _Box, least: np.float32) -> bool:
    """Whether a part shows enough of an object."""
    area = np.float32((one[2] - one[0]) * (one[3] - one[1]))
    if (crop[2] - crop[0]) * (crop[3] - crop[1]) < 1 or area < 1:
        return False
    high = min(crop[2], one[2]) - max(crop[0], one[0])
    wide = min(crop[3], one[3]) - max(crop[1], one[1])
    common = np.float32(high * wide if high >= 0 and wide >= 0 else 0)
    return bool(common / area >= least)
