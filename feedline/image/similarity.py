"""similarity: how much two images resemble each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.errors import InvalidArgumentError, check_at_least
from feedline.image.float_images import as_floats, checked_image
from feedline.image.image_operation import image_operation, known_spec
from feedline.leaf_spec import TensorSpec

__all__ = ["psnr", "ssim", "ssim_multiscale"]

_AXES = (-3, -2, -1)


def _one_for_each(first: Any, *_args: Any, **_kwargs: Any) -> TensorSpec:
    shape = known_spec(first).shape
    return TensorSpec(None if shape is None else shape[: len(shape) - 3], np.float32)


def _pair(call: str, first: Any, second: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    one, two = checked_image(call, first), checked_image(call, second)
    try:
        np.broadcast_shapes(one.shape[:-3], two.shape[:-3])
        fits = one.shape[-3:] == two.shape[-3:]
    except ValueError:
        fits = False
    if not fits:
        raise InvalidArgumentError(
            f"{call}: images must have one size, got {list(one.shape)} and {list(two.shape)}."
        )
    return one, two


def _pair_of_one_dtype(call: str, first: Any, second: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    one, two = _pair(call, first, second)
    if one.dtype != two.dtype:
        raise InvalidArgumentError(
            f"{call}: both images must have one dtype, got {one.dtype} and {two.dtype}."
        )
    return one, two


def _floats(images: NDArray[Any]) -> NDArray[Any]:
    return as_floats(images).astype(np.float32, copy=False)


def _range(call: str, max_val: Any, dtype: np.dtype[Any]) -> Any:
    value = np.asarray(given(max_val))
    if value.ndim:
        raise InvalidArgumentError(f"{call}: max_val must be a single number, got {max_val!r}.")
    return _floats(value.astype(dtype))


@image_operation(_one_for_each)
def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Any:
    """Return the peak signal-to-noise ratio of images, in decibel, as float32.

    Args:
        a: Images [..., height, width, channels].
        b: Images of the same shape, whatever their dtype.
        max_val: The range of a's pixels: 255 for uint8, 1.0 for floats.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> psnr(np.zeros((2, 2, 1), np.uint8), np.full((2, 2, 1), 51, np.uint8), 255).round(3)
        np.float32(13.979)
    """
    one, two = _pair("psnr()", a, b)
    top = _range("psnr()", max_val, one.dtype)
    difference = _floats(one) - _floats(two)
    error = np.mean(np.square(difference), _AXES, dtype=np.float32)
    with np.errstate(divide="ignore"):  # equal images: infinitely good
        level = np.float32(20) * np.log(top) / np.log(np.float32(10))
        return level - np.float32(10 / np.log(10)) * np.log(error)


# ---- ssim ---------------------------------------------------------------------------------


def _index_map_or_one(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: Any = 11,
    filter_sigma: Any = 1.5,
    k1: Any = 0.01,
    k2: Any = 0.03,
    return_index_map: bool = False,
) -> TensorSpec:
    if not return_index_map:
        return _one_for_each(img1)
    shape = known_spec(img1).shape
    return TensorSpec(None if shape is None else [None] * (len(shape) - 1), np.float32)


@image_operation(_index_map_or_one)
def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Any:
    """Return the structural similarity of images, as float32: 1 for equal ones.

    Args:
        img1: Images [..., height, width, channels].
        img2: Images of the same shape.
        max_val: The range of pixels: 255 for uint8, 1.0 for floats.
        filter_size: How wide the window is that is compared at every place; images must be
            at least as large.
        filter_sigma: How wide the bell curve is that weighs the window's pixels.
        k1: See the paper (Wang et al. 2004).
        k2: See the paper.
        return_index_map: Whether to return the similarity at every place.

    Example:
        >>> import numpy as np
        >>> image = np.random.default_rng(0).random((16, 16, 3), np.float32)
        >>> ssim(image, image, 1.0).round(4)
        np.float32(1.0)
    """
    call = "ssim()"
    one, two = _pair_of_one_dtype(call, img1, img2)
    top = _range(call, max_val, one.dtype)
    size = check_at_least(call, "filter_size", filter_size, 1)
    similar, _ = _compared(call, _floats(one), _floats(two), top, size, filter_sigma, (k1, k2))
    if not return_index_map:
        similar = similar.mean((-3, -2))
    return similar.mean(-1)


_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


@image_operation(_one_for_each)
def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Sequence[float] = _SCALES,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Any:
    """Return the structural similarity of images at several sizes, as float32.

    Args:
        img1: Images [..., height, width, channels].
        img2: Images of the same shape.
        max_val: The range of pixels: 255 for uint8, 1.0 for floats.
        power_factors: The weight of each size; every size is half the one before.
        filter_size: As in ssim(); images must be as large at the smallest size too.
        filter_sigma: As in ssim().
        k1: As in ssim().
        k2: As in ssim().

    Example:
        >>> import numpy as np
        >>> image = np.random.default_rng(0).random((64, 64, 1), np.float32)
        >>> ssim_multiscale(image, image, 1.0, filter_size=3).round(4)
        np.float32(1.0)
    """
    call = "ssim_multiscale()"
    one, two = _pair_of_one_dtype(call, img1, img2)
    top = _range(call, max_val, one.dtype)
    size = check_at_least(call, "filter_size", filter_size, 1)
    pair = [_floats(one), _floats(two)]
    factors = []
    for scale in range(len(power_factors)):
        if scale:
            pair = [_halved(image) for image in pair]
        similar, structure = _compared(call, pair[0], pair[1], top, size, filter_sigma, (k1, k2))
        factors.append((structure if scale < len(power_factors) - 1 else similar).mean((-3, -2)))
    powers = [
        np.maximum(f, 0) ** np.float32(p) for f, p in zip(factors, power_factors, strict=True)
    ]
    return np.prod(powers, axis=0, dtype=np.float32).mean(-1)


def _halved(images: NDArray[Any]) -> NDArray[Any]:
    height, width = images.shape[-3:-1]
    before = [(0, 0)] * (images.ndim - 3)
    even = np.pad(images, [*before, (0, height % 2), (0, width % 2), (0, 0)], mode="symmetric")
    parts = [even[..., y::2, x::2, :] for y in (0, 1) for x in (0, 1)]
    total = (parts[0] + parts[1]) + (parts[2] + parts[3])
    made: NDArray[Any] = total * np.float32(0.25)
    return made


def _compared(
    call: str,
    one: NDArray[Any],
    two: NDArray[Any],
    top: Any,
    size: int,
    sigma: float,
    constants: tuple[float, float],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the similarity, and that of the structure alone, at every place."""
    if min(one.shape[-3:-1]) < size:
        raise InvalidArgumentError(
            f"{call}: images must be at least filter_size={size} wide and high, got "
            f"{list(one.shape)}. Give a smaller filter_size."
        )
    places = np.arange(size) - (size - 1) / 2
    weights = np.exp(-0.5 * np.square(places) / float(sigma) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    c1, c2 = (np.float32((constant * float(top)) ** 2) for constant in constants)
    mean_x, mean_y = _blurred(one, weights), _blurred(two, weights)
    product = mean_x * mean_y * np.float32(2)
    squares = np.square(mean_x) + np.square(mean_y)
    luminance = (product + c1) / (squares + c1)
    both = _blurred(one * two, weights) * np.float32(2)
    spread = _blurred(np.square(one) + np.square(two), weights)
    structure = (both - product + c2) / (spread - squares + c2)
    return luminance * structure, structure


def _blurred(images: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """Return weighted sums over windows: along the height, then along the width."""
    return _weighed(_weighed(images, weights, -3), weights, -2)


def _weighed(images: NDArray[Any], weights: NDArray[Any], axis: int) -> NDArray[Any]:
    """Return weighted sums along an axis, by weights that are the same from both ends."""
    size = len(weights)
    length = images.shape[axis] - size + 1
    along = np.moveaxis(images, axis, 0)
    parts = [np.moveaxis(along[start : start + length], 0, axis) for start in range(size)]
    half = size // 2
    made: NDArray[Any] = parts[half] * (weights[half] if size % 2 else np.float32(0))
    term = np.empty_like(made)
    for start in range(half):
        np.add(parts[start], parts[size - 1 - start], out=term)
        term *= weights[start]
        made += term
    return made
