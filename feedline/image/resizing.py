"""resizing: images of another size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import static_ints
from feedline.column import Column, Dense, Objects, Ragged
from feedline.errors import BuildError, InvalidArgumentError
from feedline.graph.rows import Rows
from feedline.graph.trace import symbols_in
from feedline.image.chain import Resize, link
from feedline.image.image_operation import image_operation
from feedline.image.leading import batches_of, images_given, on_images, resized_spec
from feedline.kernels.resample import resample
from feedline.kernels.take_pixels import take_pixels

__all__ = ["ResizeMethod", "kernel_of", "resize", "resize_with_pad", "resized_images"]

Size = tuple[int, int]


class ResizeMethod:
    """The names of methods, see ``resize``."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


_METHODS = [value for name, value in vars(ResizeMethod).items() if name.isupper()]


def resize(
    images: Any,
    size: Any,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Any:
    """Return images of another size: float32, by method nearest of the dtype they have.

    Args:
        images: An image ``[height, width, channels]``, or a batch of them.
        size: The new height and width.
        method: One of ``ResizeMethod``, or its name.
        preserve_aspect_ratio: Whether the new size is the largest one inside ``size`` that
            has the proportions of the image.
        antialias: Whether all pixels count where an image gets smaller.
        name: No effect.

    Example:
        >>> resize(np.array([[[10], [20]], [[30], [40]]], np.uint8), [1, 2]).tolist()
        [[[20.0], [30.0]]]
    """
    array = images_given("resize()", images)
    _check_method("resize()", method)
    return _resize(array, _size_of(size), method, bool(preserve_aspect_ratio), bool(antialias))


def resize_with_pad(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: str = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Any:
    """Return images that keep their proportions, with zeros around them to fill a size.

    Args:
        image: An image ``[height, width, channels]``, or a batch of them.
        target_height: The height of the result.
        target_width: The width of the result.
        method: How to resize, see ``resize``.
        antialias: Whether all pixels count where an image gets smaller.

    Example:
        >>> resize_with_pad(np.ones((2, 4, 1)), 4, 4)[:, 0, 0].tolist()
        [0.0, 1.0, 1.0, 0.0]
    """
    call = "resize_with_pad()"
    array = images_given(call, image)
    _check_method(call, method)
    size = _target(call, target_height, target_width)
    return _resize_with_pad(array, size, method, bool(antialias))


def resized_images(
    images: NDArray[Any],
    size: Size,
    method: str,
    antialias: bool,
    out: NDArray[np.float32] | None = None,
) -> NDArray[Any]:
    """Return images ``(n, *size, channels)``, in ``out`` if that is given and fits them."""
    if min(size) < 1:
        raise InvalidArgumentError(f"resize(): the size must be at least 1, got {list(size)}.")
    if 0 in images.shape[1:]:
        raise InvalidArgumentError(
            f"resize(): images must have pixels, got shape {list(images.shape[1:])}."
        )
    if method == ResizeMethod.NEAREST_NEIGHBOR:
        return take_pixels(images, size)
    if images.dtype not in (np.uint8, np.float32):
        images = images.astype(np.float32)
    if out is None:
        out = np.empty((len(images), *size, images.shape[3]), np.float32)
    resample(images, out, kernel_of(method, antialias), antialias)
    return out


def kernel_of(method: str, antialias: bool) -> str:
    """Return the name under which the kernel knows a method."""
    if antialias and method == ResizeMethod.BILINEAR:
        return "triangle"
    return "keyscubic" if antialias and method == ResizeMethod.BICUBIC else method


# ---- what is recorded -----------------------------------------------------------------


def _resize_spec(images: Any, size: Any, method: str, keeps_ratio: bool, _antialias: bool) -> Any:
    height, width = (None, None) if keeps_ratio or symbols_in(size) else size
    dtype = None if method == ResizeMethod.NEAREST_NEIGHBOR else np.float32
    return resized_spec(images, height, width, dtype)


def _resize_rows(
    images: Any, size: Any, method: str, keeps_ratio: bool, antialias: bool
) -> NDArray[Any]:
    if not isinstance(images, Rows) or isinstance(size, Rows):
        raise NotImplementedError
    return _resize_arrays(images.array, size, method, keeps_ratio, antialias)


def _resize_columns(
    images: Any, size: Any, method: str, keeps_ratio: bool, antialias: bool
) -> NDArray[Any] | Column:
    if isinstance(images, Rows) or isinstance(size, (Rows, Column)):
        raise NotImplementedError
    batches = batches_of(images)
    if batches is not None:
        made = _resize_arrays(batches.values, size, method, keeps_ratio, antialias)
        return Ragged(made, batches.splits)
    if isinstance(images, Dense) and not keeps_ratio:
        return _resize_arrays(images.array, size, method, keeps_ratio, antialias)
    rows: list[NDArray[Any]] = images.rows()
    channels = {row.shape[-1] for row in rows}
    if keeps_ratio or rows[0].ndim != 3 or len(channels) != 1:
        return Objects([_resize_arrays(row, size, method, keeps_ratio, antialias) for row in rows])
    dtype = rows[0].dtype if method == ResizeMethod.NEAREST_NEIGHBOR else np.dtype(np.float32)
    out = np.empty((len(rows), *size, channels.pop()), dtype)
    for number, row in enumerate(rows):
        into = out[number : number + 1]
        made = resized_images(row[None], size, method, antialias, into)
        if made is not into:
            into[:] = made
    return out


def _resize_arrays(
    images: NDArray[Any], size: Any, method: str, keeps_ratio: bool, antialias: bool
) -> NDArray[Any]:
    wanted = (int(size[0]), int(size[1]))
    if keeps_ratio:
        wanted = _inside(wanted, images.shape[-3:-1])
    return on_images(resized_images, images, wanted, method, antialias)


@image_operation(spec=_resize_spec, rows=_resize_rows, columns=_resize_columns)
def _resize(images: Any, size: Any, method: str, keeps_ratio: bool, antialias: bool) -> Any:
    return _resize_arrays(images, size, method, keeps_ratio, antialias)


@link(_resize, "resize")
def _resize_link(
    _image: Any, size: Any, method: str, keeps_ratio: bool, antialias: bool
) -> Resize | None:
    if keeps_ratio or not all(isinstance(length, int) for length in size):
        return None
    return Resize(tuple(size), kernel_of(method, antialias), antialias)


def _pad_spec(image: Any, size: Size, method: str, _antialias: bool) -> Any:
    dtype = None if method == ResizeMethod.NEAREST_NEIGHBOR else np.float32
    return resized_spec(image, *size, dtype)


def _pad_rows(image: Any, size: Size, method: str, antialias: bool) -> NDArray[Any]:
    return on_images(_padded, image.array, size, method, antialias)


def _pad_columns(image: Any, size: Size, method: str, antialias: bool) -> NDArray[Any]:
    rows = image.rows()
    return np.stack([on_images(_padded, row, size, method, antialias) for row in rows])


@image_operation(spec=_pad_spec, rows=_pad_rows, columns=_pad_columns)
def _resize_with_pad(image: Any, size: Size, method: str, antialias: bool) -> Any:
    return on_images(_padded, image, size, method, antialias)


def _padded(images: NDArray[Any], size: Size, method: str, antialias: bool) -> NDArray[Any]:
    inner, offsets = _letterbox(size, images.shape[1:3])
    made = resized_images(images, inner, method, antialias)
    out = np.zeros((len(images), *size, images.shape[3]), made.dtype)
    top, left = offsets
    out[:, top : top + inner[0], left : left + inner[1]] = made
    return out


# ---- sizes, in TensorFlow's float32 ---------------------------------------------------


def _inside(size: Size, shape: tuple[int, ...]) -> Size:
    """Return the largest size inside another that has the proportions of an image."""
    lengths = [np.float32(length) for length in shape]
    scale = min(
        np.float32(n) / m if m else np.float32(0) for n, m in zip(size, lengths, strict=True)
    )
    height, width = (int(np.rint(scale * length)) for length in lengths)
    return height, width


def _letterbox(size: Size, shape: tuple[int, ...]) -> tuple[Size, Size]:
    """Return the size of a resized image inside of another size, and where it begins."""
    targets = [np.float32(length) for length in size]
    lengths = [np.float32(length) for length in shape]
    ratio = max(n / m for n, m in zip(lengths, targets, strict=True))
    if not ratio:
        return size, (0, 0)
    inner = [length / ratio for length in lengths]
    offsets = [(n - m) / np.float32(2) for n, m in zip(targets, inner, strict=True)]
    height, width = (math.floor(length) for length in inner)
    top, left = (max(0, math.floor(offset)) for offset in offsets)
    return (height, width), (top, left)


# ---- arguments ------------------------------------------------------------------------


def _check_method(call: str, method: Any) -> None:
    if method not in _METHODS:
        raise BuildError(f"{call}: method must be one of {', '.join(_METHODS)}, got {method!r}.")


def _size_of(size: Any) -> Any:
    text = f"resize(): size must be two integers, height and width, got {size!r}."
    try:
        lengths = static_ints(size)
    except (TypeError, ValueError):
        raise BuildError(text) from None
    if lengths is None:
        return size
    if len(lengths) != 2 or np.ndim(size) != 1:
        raise BuildError(text)
    return lengths


def _target(call: str, height: Any, width: Any) -> Size:
    """Return a size that must be known before any image is."""
    lengths = static_ints([height, width])
    if lengths is None:
        raise BuildError(f"{call}: target_height and target_width must be known beforehand.")
    for what, length in zip(("target_height", "target_width"), lengths, strict=True):
        if length < 1:
            raise BuildError(f"{call}: {what} must be at least 1, got {length}.")
    return lengths[0], lengths[1]
