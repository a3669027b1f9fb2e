"""blocks_of_pixels: pixels moved between the axes of an image, its channels and its batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import given, static_ints
from feedline.errors import BuildError

__all__ = ["batch_to_space", "depth_to_space", "space_to_batch", "space_to_depth"]


def space_to_depth(
    input: Any, block_size: Any, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """Return images whose pixels are the blocks of others, as many channels more.

    Args:
        input: Of the shape ``(batch, height, width, channels)``.
        block_size: How high and wide a block is.
        data_format: Must be NHWC.
        name: No effect.
    """
    array, size = _image("space_to_depth()", input, block_size, data_format)
    batch, height, width, depth = array.shape
    if height % size or width % size:
        raise BuildError(
            f"space_to_depth(): {height} x {width} pixels do not divide into blocks of {size}."
        )
    cut = np.reshape(array, (batch, height // size, size, width // size, size, depth))
    moved = np.transpose(cut, (0, 1, 3, 2, 4, 5))
    return np.reshape(moved, (batch, height // size, width // size, size * size * depth))


def depth_to_space(
    input: Any, block_size: Any, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """Return images whose blocks are the pixels of others; the inverse of space_to_depth."""
    array, size = _image("depth_to_space()", input, block_size, data_format)
    batch, height, width, depth = array.shape
    if depth % (size * size):
        raise BuildError(f"depth_to_space(): {depth} channels do not divide by {size * size}.")
    cut = np.reshape(array, (batch, height, width, size, size, depth // (size * size)))
    moved = np.transpose(cut, (0, 1, 3, 2, 4, 5))
    return np.reshape(moved, (batch, height * size, width * size, depth // (size * size)))


def _image(call: str, value: Any, block_size: Any, data_format: str) -> tuple[Any, int]:
    array = given(value)
    if data_format != "NHWC" or array.ndim != 4:
        raise BuildError(
            f"{call}: the shape must be (batch, height, width, channels), got {array.shape} and "
            f"the data_format {data_format!r}."
        )
    found = static_ints(block_size)
    if found is None or len(found) != 1 or found[0] < 2:
        raise BuildError(f"{call}: block_size must be an integer from 2 on, got {block_size!r}.")
    return array, found[0]


def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """Return an array whose batch has every so many pixels of each image as one of its own.

    Args:
        input: Of the shape ``(batch, ...)``.
        block_shape: How many, along each axis after the batch.
        paddings: How many zeros to put before and after, along each of them.
        name: No effect.
    """
    call = "space_to_batch()"
    array = given(input)
    sizes, widths = _blocks(call, array, block_shape, paddings)
    rest = array.ndim - 1 - len(sizes)
    array = np.pad(array, [(0, 0), *widths, *[(0, 0)] * rest])
    lengths = array.shape[1 : 1 + len(sizes)]
    if any(length % size for length, size in zip(lengths, sizes, strict=True)):
        raise BuildError(f"{call}: {lengths} do not divide by {sizes}.")
    counts = [length // size for length, size in zip(lengths, sizes, strict=True)]
    kept = array.shape[1 + len(sizes) :]
    parts = [n for count, size in zip(counts, sizes, strict=True) for n in (count, size)]
    cut = np.reshape(array, (array.shape[0], *parts, *kept))
    inner = [2 + 2 * n for n in range(len(sizes))]
    outer = [1 + 2 * n for n in range(len(sizes))]
    moved = np.transpose(cut, (*inner, 0, *outer, *range(1 + 2 * len(sizes), cut.ndim)))
    return np.reshape(moved, (array.shape[0] * int(np.prod(sizes)), *counts, *kept))


def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """Return images put together of those of a batch; the inverse of space_to_batch.

    Args:
        input: Of the shape ``(batch, ...)``.
        block_shape: How many make one, along each axis after the batch.
        crops: How many to leave out before and after, along each of them.
        name: No effect.
    """
    call = "batch_to_space()"
    array = given(input)
    sizes, widths = _blocks(call, array, block_shape, crops)
    total = int(np.prod(sizes))
    if array.shape[0] % total:
        raise BuildError(f"{call}: a batch of {array.shape[0]} does not divide by {total}.")
    count, kept = array.shape[0] // total, array.shape[1 + len(sizes) :]
    counts = array.shape[1 : 1 + len(sizes)]
    cut = np.reshape(array, (*sizes, count, *counts, *kept))
    places = [n for k in range(len(sizes)) for n in (len(sizes) + 1 + k, k)]
    rest = range(2 * len(sizes) + 1, cut.ndim)
    moved = np.transpose(cut, (len(sizes), *places, *rest))
    lengths = [n * size for n, size in zip(counts, sizes, strict=True)]
    made = np.reshape(moved, (count, *lengths, *kept))
    cuts = [slice(low, length - high) for (low, high), length in zip(widths, lengths, strict=True)]
    return made[(slice(None), *cuts)]


def _blocks(
    call: str, array: Any, block_shape: Any, paddings: Any
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    sizes = static_ints(block_shape)
    widths = [static_ints(one) for one in paddings]
    if sizes is None or min(sizes, default=1) < 1 or len(sizes) >= array.ndim:
        raise BuildError(f"{call}: block_shape does not fit {array.shape}, got {block_shape!r}.")
    if len(sizes) == 1:
        sizes = sizes * len(widths)
    if any(one is None or len(one) != 2 for one in widths) or len(widths) != len(sizes):
        raise BuildError(f"{call}: {len(sizes)} pairs are needed, got {paddings!r}.")
    return sizes, [one for one in widths if one is not None]
