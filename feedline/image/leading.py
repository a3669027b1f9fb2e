"""leading: images alone, in batches, in blocks of either, and of different sizes.

A kernel works on images ``(n, height, width, channels)``. What is given to it has one axis
less, as many, or one more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.column import Column, Objects, Ragged
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.graph.opaque import Opaque
from feedline.graph.rows import Rows
from feedline.graph.symbol import Symbol
from feedline.image.image_operation import known_spec

__all__ = [
    "batches_of",
    "images_given",
    "on_images",
    "on_rows_of_images",
    "on_varied_images",
    "resized_spec",
]

Kernel = Callable[..., NDArray[Any]]


def images_given(call: str, image: Any) -> Any:
    """Return an image or a batch of images as an array, a symbol or what stands for objects."""
    if isinstance(image, Opaque):
        return image
    array = given(image)
    if not isinstance(array, (np.ndarray, Symbol)):
        raise BuildTypeError(f"{call}: an image is an array of numbers, got {image!r}.")
    if array.ndim not in (3, 4):
        shape = [*array.shape] if array.shape is not None else None
        raise BuildError(
            f"{call}: an image has 3 axes, [height, width, channels], a batch of images 4, "
            f"got shape {shape}."
        )
    if array.dtype.kind not in "iuf":
        raise InvalidArgumentError(f"{call}: images must hold numbers, got {array.dtype}.")
    return array


def on_images(kernel: Kernel, images: NDArray[Any], *args: Any) -> NDArray[Any]:
    """Return what a kernel makes of images, whatever axes come before theirs."""
    leading = images.shape[:-3]
    count = int(np.prod(leading, dtype=np.int64))
    made = kernel(images.reshape(count, *images.shape[-3:]), *args)
    return made.reshape(*leading, *made.shape[1:])


def on_rows_of_images(kernel: Kernel) -> Callable[..., NDArray[Any]]:
    """Return the batching rule of a kernel whose other arguments are the same for all."""

    def rows(images: Rows, *args: Any) -> NDArray[Any]:
        if any(isinstance(arg, Rows) for arg in args):
            raise NotImplementedError
        return on_images(kernel, images.array, *args)

    return rows


def on_varied_images(function: Callable[..., NDArray[Any]]) -> Callable[..., Column]:
    """Return the rule of a function for images of different sizes, whose results differ too."""

    def columns(images: Column, *args: Any) -> Column:
        if isinstance(images, Rows) or any(isinstance(arg, (Rows, Column)) for arg in args):
            raise NotImplementedError
        batches = batches_of(images)
        if batches is not None:
            return Ragged(function(batches.values, *args), batches.splits)
        return Objects([function(image, *args) for image in images.rows()])

    return columns


def batches_of(images: Column) -> Ragged | None:
    """Return batches of images of one size as one array of images; None if they are none."""
    if not isinstance(images, Ragged) or images.values.ndim != 4:
        return None
    first, last = images.splits[0], images.splits[-1]
    return Ragged(images.values[first:last], images.splits - first)


def resized_spec(image: Any, height: int | None, width: int | None, dtype: Any = None) -> Any:
    """Return the spec of images that got another size."""
    spec = known_spec(image)
    if spec.shape is None:
        return type(spec)(None, dtype or spec.dtype)
    return type(spec)((*spec.shape[:-3], height, width, spec.shape[-1]), dtype or spec.dtype)
