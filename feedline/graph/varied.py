"""varied: arrays that differ in more than their first axis, such as images of different sizes.

A block holds them as objects. What is done to them is done one by one, unless a function has
a rule for columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Objects
from feedline.shapes import Shape, merge_shapes, shapes_agree

if TYPE_CHECKING:
    from feedline.graph.op import LeafForm

__all__ = ["fits", "is_varied", "made_up_shape", "stretched", "stretched_last", "varied_shape"]


def is_varied(shape: Shape) -> bool:
    """Whether arrays of a shape differ in more than their first axis."""
    return shape is not None and None in shape[1:]


def varied_shape(column: Column) -> Shape:
    """Return what the arrays of a column have in common, None if they are no such arrays.

    All lengths but the last are taken to vary: a few images of one height say nothing of
    the next.
    """
    if not isinstance(column, Objects) or not column.items:
        return None
    first = column.items[0]
    if not isinstance(first, np.ndarray) or first.ndim < 2 or first.dtype.kind in "OSUV":
        return None
    rank, dtype, last = first.ndim, first.dtype, first.shape[-1]
    for item in column.items:
        if not isinstance(item, np.ndarray) or item.ndim != rank or item.dtype != dtype:
            return None
        if item.shape[-1] != last:
            return (None,) * rank
    return (*(None,) * (rank - 1), last)


def fits(items: Sequence[Any], form: LeafForm) -> bool:
    """Whether arrays are what a form says."""
    return all(
        isinstance(item, np.ndarray)
        and item.dtype == form.dtype
        and shapes_agree(item.shape, form.shape)
        for item in items
    )


def stretched(array: NDArray[Any], axes: Sequence[int]) -> NDArray[Any]:
    """Return an array that is longer by one along axes."""
    for axis in axes:
        array = np.concatenate([array, np.take(array, [0], axis)], axis) if array.size else array
    return array


def stretched_last(values: list[Any], shape: Shape) -> list[Any]:
    """Return samples so that no length that varies is the same in all: the last one is changed."""
    assert shape is not None
    found: Shape = values[0].shape
    for value in values[1:]:
        found = merge_shapes(found, value.shape)
    if found is None:
        return values
    axes = [
        axis
        for axis, (declared, seen) in enumerate(zip(shape, found, strict=True))
        if declared is None and seen is not None
    ]
    return [*values[:-1], stretched(values[-1], axes)] if axes else values


def made_up_shape(shape: Shape, number: int) -> tuple[int, ...]:
    """Return a shape with numbers in place of unknown lengths, others for every ``number``.

    Something may be cut out of an image, and must be inside: they are as large as photos.
    """
    assert shape is not None
    unknown = [number + 1] * len(shape)
    if is_varied(shape) and len(shape) > 2:
        side, channels = 512 + 128 * number, 1 + 2 * (number % 2)
        unknown[-3:] = [side, side, channels]  # of which there may be a few, in a batch
    return tuple(
        made_up if length is None else length
        for length, made_up in zip(shape, unknown, strict=True)
    )
