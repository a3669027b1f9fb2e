"""resizing: images of another size, from the places of pixels that TensorFlow 1 took.

Pixel i of the result is the one at i * scale, not the one at its middle: results lie further
to the right and below, which models that were trained so expect.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import static_ints
from feedline.errors import BuildError, InvalidArgumentError
from feedline.graph.rows import Rows
from feedline.graph.trace import symbols_in
from feedline.image.image_operation import image_operation
from feedline.image.leading import images_given, on_images, resized_spec
from feedline.image.resizing import resize as resize_today

__all__ = [
    "ResizeMethod",
    "resize",
    "resize_area",
    "resize_bicubic",
    "resize_bilinear",
    "resize_images",
    "resize_nearest_neighbor",
]

_Floats = NDArray[np.float32]
_BICUBIC_STEPS = 1024  # TensorFlow looks weights up in a table of so many places


class ResizeMethod:
    """The numbers of methods, see ``resize``."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_NAMES = ("bilinear", "nearest", "bicubic", "area")


def resize(
    images: Any,
    size: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Any:
    """Return images of another size as TensorFlow 1 made them; of the same size, what is given.

    Args:
        images: An image ``[height, width, channels]``, or a batch of them.
        size: The new height and width.
        method: One of ``ResizeMethod``, or its name in TensorFlow 2.
        align_corners: Whether the middles of the corner pixels stay where they are.
        preserve_aspect_ratio: Must be False: tf.image.resize has it.
        name: No effect.

    Example:
        >>> resize(np.array([[[10], [20]]], np.uint8), [1, 4])[0, :, 0].tolist()
        [10.0, 15.0, 20.0, 20.0]
    """
    call = "compat.v1.image.resize()"
    if preserve_aspect_ratio:
        raise BuildError(f"{call} keeps no proportions: use tf.image.resize.")
    known = _NAMES[method] if method in range(len(_NAMES)) else method
    if known not in _NAMES:
        raise BuildError(f"{call}: method must be one of {', '.join(_NAMES)}, got {method!r}.")
    array = images_given(call, images)
    lengths = _size_of(call, size)
    if array.shape is not None and array.shape[-3:-1] == lengths:
        return array
    return _made(call, array, lengths, known, align_corners, half_pixel_centers=False)


resize_images = resize


def resize_bilinear(
    images: Any,
    size: Any,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:
    """Return images as float32 whose pixels are between the four nearest ones.

    Example:
        >>> resize_bilinear([[[[10], [20]]]], [1, 4])[0, 0, :, 0].tolist()
        [10.0, 15.0, 20.0, 20.0]
    """
    return _of("bilinear", images, size, align_corners, half_pixel_centers)


def resize_nearest_neighbor(
    images: Any,
    size: Any,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:
    """Return images of the same dtype that consist of pixels of those given.

    Example:
        >>> resize_nearest_neighbor([[[[10], [20]]]], [1, 4])[0, 0, :, 0].tolist()
        [10, 10, 20, 20]
    """
    return _of("nearest", images, size, align_corners, half_pixel_centers)


def resize_bicubic(
    images: Any,
    size: Any,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:
    """Return images as float32 whose pixels are on curves through the sixteen nearest ones.

    Example:
        >>> resize_bicubic([[[[10], [20]]]], [1, 4])[0, 0, :, 0].tolist()
        [10.0, 15.0, 20.0, 20.9375]
    """
    return _of("bicubic", images, size, align_corners, half_pixel_centers)


def resize_area(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None
) -> Any:
    """Return images as float32 whose pixels are means of what they cover.

    Example:
        >>> resize_area([[[[10], [20], [30], [50]]]], [1, 2])[0, 0, :, 0].tolist()
        [15.0, 40.0]
    """
    return _of("area", images, size, align_corners, half_pixel_centers=False)


def _of(method: str, images: Any, size: Any, aligned: Any, half_pixel_centers: Any) -> Any:
    call = f"resize_{'nearest_neighbor' if method == 'nearest' else method}()"
    array = images_given(call, images)
    return _made(call, array, _size_of(call, size), method, aligned, half_pixel_centers)


def _made(
    call: str, images: Any, size: Any, method: str, aligned: Any, half_pixel_centers: Any
) -> Any:
    if aligned and (half_pixel_centers or method == "area"):
        raise BuildError(f"{call}: align_corners must be False here, got True.")
    if half_pixel_centers or method == "area":
        return resize_today(images, size, method)
    return _resize(images, size, method, bool(aligned))


def _size_of(call: str, size: Any) -> Any:
    text = f"{call}: size must be two integers, height and width, got {size!r}."
    try:
        lengths = static_ints(size)
    except (TypeError, ValueError):
        raise BuildError(text) from None
    if lengths is not None and len(lengths) != 2:
        raise BuildError(text)
    return size if lengths is None else tuple(lengths)


# ---- what is recorded -----------------------------------------------------------------


def _spec(images: Any, size: Any, method: str, _aligned: bool) -> Any:
    height, width = (None, None) if symbols_in(size) else size
    return resized_spec(images, height, width, None if method == "nearest" else np.float32)


def _rows(images: Any, size: Any, method: str, aligned: bool) -> NDArray[Any]:
    if not isinstance(images, Rows) or isinstance(size, Rows):
        raise NotImplementedError
    return _resized(images.array, size, method, aligned)


@image_operation(spec=_spec, rows=_rows)
def _resize(images: Any, size: Any, method: str, aligned: bool) -> Any:
    return _resized(images, size, method, aligned)


def _resized(images: NDArray[Any], size: Any, method: str, aligned: bool) -> NDArray[Any]:
    wanted = (int(size[0]), int(size[1]))
    if min(wanted) < 1 or 0 in images.shape[-3:-1]:
        raise InvalidArgumentError(
            f"resize(): sizes must be at least 1, got {list(wanted)} for {list(images.shape)}."
        )
    return on_images(_KERNELS[method], images, wanted, aligned)


# ---- kernels: images (n, height, width, channels) -------------------------------------


def _places(length: int, wanted: int, aligned: bool) -> _Floats:
    """Return where the pixels of a result lie among those of an image."""
    inner = aligned and wanted > 1
    scale = np.float32(length - inner) / np.float32(wanted - inner)
    return np.arange(wanted, dtype=np.float32) * scale


def _nearest(images: NDArray[Any], size: tuple[int, int], aligned: bool) -> NDArray[Any]:
    for axis, wanted in enumerate(size, 1):
        places = _places(images.shape[axis], wanted, aligned)
        # In the middle between two pixels the second one is taken, unlike in np.rint.
        chosen = np.floor(places + np.float32(0.5)) if aligned else np.floor(places)
        last = images.shape[axis] - 1
        images = np.take(images, np.minimum(chosen.astype(np.int64), last), axis)
    return images


def _bilinear(images: NDArray[Any], size: tuple[int, int], aligned: bool) -> _Floats:
    made = images.astype(np.float32)
    for axis, wanted in ((2, size[1]), (1, size[0])):
        last = made.shape[axis] - 1
        places = _places(made.shape[axis], wanted, aligned)
        first = np.minimum(places.astype(np.int64), last)
        left, right = (np.take(made, np.minimum(at, last), axis) for at in (first, first + 1))
        made = left + (right - left) * _along(axis, places - first.astype(np.float32))
    return made


def _bicubic(images: NDArray[Any], size: tuple[int, int], aligned: bool) -> _Floats:
    made = images.astype(np.float32)
    for axis, wanted in enumerate(size, 1):
        last = made.shape[axis] - 1
        places = _places(made.shape[axis], wanted, aligned)
        first = np.floor(places).astype(np.int64)
        step = np.rint((places - first.astype(np.float32)) * np.float32(_BICUBIC_STEPS))
        part = step / np.float32(_BICUBIC_STEPS)
        weights = (_far(part), _near(part), _near(1 - part), _far(1 - part))
        parts = [
            np.take(made, np.clip(first + offset, 0, last), axis) * _along(axis, weight)
            for offset, weight in enumerate(weights, -1)
        ]
        made = parts[0] + parts[1] + parts[2] + parts[3]
    return made


def _near(distance: _Floats) -> _Floats:
    """Return the weight of a pixel less than one away: Keys' curve, with a = -0.75."""
    return (np.float32(1.25) * distance - np.float32(2.25)) * distance * distance + 1


def _far(distance: _Floats) -> _Floats:
    """Return the weight of the pixel behind it."""
    beyond = distance + 1
    curve = (np.float32(-0.75) * beyond + np.float32(3.75)) * beyond - np.float32(6)
    return curve * beyond + np.float32(3)


def _along(axis: int, values: _Floats) -> _Floats:
    return values.reshape([-1 if at == axis else 1 for at in range(4)])


_KERNELS = {"bicubic": _bicubic, "bilinear": _bilinear, "nearest": _nearest}
