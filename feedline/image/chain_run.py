"""chain_run: a chain of operations on images, run on the images of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.buffers import Buffers
from feedline.column import Bytes, Column, Objects
from feedline.graph.op import Ref
from feedline.graph.rows import Rows, stacked
from feedline.kernels.resample import Step, resample
from feedline.kernels.resample_jpegs import jpeg_sizes, resample_jpegs
from feedline.kernels.take_pixels import take_pixels
from feedline.limits import max_image_pixels
from feedline.places import place_for
from feedline.strings.texts import packed

__all__ = ["Pass"]

Box = tuple[int, int, int, int]


class Pass:
    """One pass over the pixels of each image.

    Args:
        source: Makes an image of what an element has in place of it; None for images.
        jpeg_channels: Of JPEGs, where the kernels for these make the same of them; otherwise 0.
        boxes: What is cut out, each part out of the one before.
        method: How to resize.
        antialias: Whether all pixels count where an image gets smaller.
        bits: What the choices of an element mirror.
        before: Steps on numbers before the resize.
        after: Steps on numbers after it.
        shape: Of a result; None for channels that differ between images.
        dtype: Of a result: float32, or uint8 if bytes are only moved.
        name: What operations these are.
    """

    def __init__(
        self,
        *,
        source: Callable[..., Any] | None,
        jpeg_channels: int = 0,
        boxes: tuple[Callable[..., Box], ...],
        method: str,
        antialias: bool,
        bits: tuple[int, ...],
        before: tuple[Step, ...],
        after: tuple[Step, ...],
        shape: tuple[int, int, int | None],
        dtype: np.dtype[Any],
        name: str,
    ) -> None:
        self._source = source
        self._jpeg_channels = jpeg_channels
        self._boxes = boxes
        self._method = method
        self._antialias = antialias
        self._bits = bits
        self._before = before
        self._after = after
        self._shape = shape
        self._dtype = dtype
        self._buffers = Buffers()
        self.__name__ = name

    def __call__(self, given: Any, parts: Any, chosen: Any) -> NDArray[Any] | Objects:
        """Return the results for all elements: objects, if their channels differ.

        Args:
            given: The images, or the positional and named arguments of the source.
            parts: The arguments of each box.
            chosen: For each flip, which images are mirrored.
        """
        length = next(_lengths((given, parts, chosen)))
        flips = self._flips(chosen, length) if self._bits else None
        places = [[_by_row(value, length) for value in args] for args in parts]
        if self._source is None and isinstance(given, Rows):
            images = given.array
            boxes = [self._box(images.shape[1:], places, row) for row in range(length)]
            out = self._memory(length, images.shape[-1])
            self._write(images, out, boxes if parts else None, flips)
            return out
        whole = None if self._shape[2] is None else self._memory(length, self._shape[2])
        rows = self._other_rows(given, length, places, flips, whole)
        made: list[NDArray[Any]] = []
        for row, image in zip(rows, self._images(given, length, rows), strict=True):
            if image.ndim != 3 or self._shape[2] not in (None, image.shape[2]):
                raise ValueError("an image of another kind than those that were recorded")
            box = [self._box(image.shape, places, row)] if parts else None
            one = slice(row, row + 1)
            into = self._memory(1, image.shape[2]) if whole is None else whole[one]
            self._write(image[None], into, box, None if flips is None else flips[one])
            made.append(into[0])
        return Objects(made) if whole is None else whole

    def _memory(self, length: int, channels: int) -> NDArray[Any]:
        shape = (length, *self._shape[:2], channels)
        out = place_for(shape, self._dtype)
        return self._buffers.empty(shape, self._dtype) if out is None else out

    def _images(self, given: Any, length: int, rows: Sequence[int]) -> Iterator[NDArray[Any]]:
        """Yield images one by one, so that each is still in the cache when it is read."""
        if self._source is None:
            images = given.rows()
            yield from (images[row] for row in rows)
            return
        args = [_by_row(value, length) for value in given[0]]
        kwargs = {name: _by_row(value, length) for name, value in given[1].items()}
        for row in rows:
            yield self._source(
                *(values(row) for values in args),
                **{name: values(row) for name, values in kwargs.items()},
            )

    def _other_rows(
        self,
        given: Any,
        length: int,
        places: list[Any],
        flips: NDArray[np.uint8] | None,
        whole: NDArray[Any] | None,
    ) -> Sequence[int]:
        """Write the results of JPEGs that the kernels know; return the rows of all others."""
        contents = _texts(given[0][0]) if self._jpeg_channels and given[0] else None
        if contents is None or whole is None or self._dtype != np.float32:
            return range(length)
        sizes = jpeg_sizes(contents.data, contents.offsets)
        sizes[sizes[:, 0] * sizes[:, 1] > max_image_pixels()] = 0
        boxes = None
        if places:
            boxes = np.zeros((length, 4), np.int64)
            for row, (height, width) in enumerate(sizes.tolist()):
                if height:
                    boxes[row] = self._box((height, width), places, row)
        steps = [_spread(steps, self._jpeg_channels) for steps in (self._before, self._after)]
        done = resample_jpegs(
            contents.data,
            contents.offsets,
            sizes,
            whole,
            self._method,
            self._antialias,
            boxes,
            flips,
            *steps,
        )
        return np.flatnonzero(~done).tolist()

    def _flips(self, chosen: Any, length: int) -> NDArray[np.uint8]:
        flips = np.zeros(length, np.uint8)
        for bits, choice in zip(self._bits, chosen, strict=True):
            flips ^= stacked(choice, length).astype(bool) * np.uint8(bits)
        return flips

    def _box(self, shape: tuple[int, ...], places: list[Any], row: int) -> Box:
        top, left, (height, width) = 0, 0, shape[:2]
        for box, args in zip(self._boxes, places, strict=True):
            above, before, tall, wide = box(height, width, *(values(row) for values in args))
            if min(above, before) < 0 or above + tall > height or before + wide > width:
                raise ValueError("a part outside of the image")
            top, left, height, width = top + above, left + before, tall, wide
        return top, left, height, width

    def _write(
        self,
        images: NDArray[Any],
        out: NDArray[Any],
        boxes: list[Box] | None,
        flips: NDArray[np.uint8] | None,
    ) -> None:
        where = None if boxes is None else np.array(boxes, np.int64)
        if self._dtype == np.uint8:
            if images.dtype != np.uint8:
                raise ValueError("an image of another dtype than those that were recorded")
            take_pixels(images, out.shape[1:3], where, flips, out)
            return
        if images.dtype not in (np.uint8, np.float32):
            images = images.astype(np.float32)
        steps = [_spread(steps, images.shape[-1]) for steps in (self._before, self._after)]
        resample(images, out, self._method, self._antialias, where, flips, *steps)


def _spread(steps: tuple[Step, ...], channels: int) -> list[Step]:
    """Return steps with a constant for each channel."""
    return [
        (name, constants if len(constants) == channels else np.repeat(constants, channels))
        for name, constants in steps
    ]


def _texts(value: Any) -> Bytes | None:
    """Return byte strings side by side; None if that is not what they are."""
    if isinstance(value, Objects) and set(map(type, value.items)) == {bytes}:
        return packed(value.items)
    return value if isinstance(value, Bytes) else None


def _lengths(given: Any) -> Iterator[int]:
    if isinstance(given, Rows):
        yield given.length
    elif isinstance(given, Column):
        yield len(given)
    elif isinstance(given, (tuple, list)):
        for one in given:
            yield from _lengths(one)
    elif isinstance(given, dict):
        yield from _lengths(list(given.values()))


def _by_row(value: Any, length: int) -> Callable[[int], Any]:
    """Return what tells the value of a row."""
    assert not isinstance(value, Ref), "a value that was not put in the place of its number"
    if isinstance(value, Rows):
        return value.array.__getitem__
    if isinstance(value, Bytes):
        # Where they lie: they are read once.
        memory, ends = np.ascontiguousarray(value.data).data, value.offsets.tolist()
        return lambda row: memory[ends[row] : ends[row + 1]]
    if isinstance(value, Column):
        rows = value.rows()
        assert len(rows) == length
        return rows.__getitem__
    return lambda _row: value
