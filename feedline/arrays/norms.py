"""norms: lengths of arrays, arrays brought to a length, and their mean and variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from feedline.arrays.given import axes_of, given, given_dtype, pair
from feedline.arrays.linear import norm
from feedline.arrays.reducing import reduce_mean
from feedline.errors import BuildTypeError

__all__ = [
    "batch_normalization",
    "clip_by_global_norm",
    "clip_by_norm",
    "global_norm",
    "moments",
    "normalize",
]


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """Return an array, made shorter if it is longer than ``clip_norm``.

    Args:
        t: The array.
        clip_norm: The most its length may be.
        axes: Along which to measure; all of it by default.
        name: No effect.

    Example:
        >>> clip_by_norm([3.0, 4.0], 1.0)
        array([0.6, 0.8], dtype=float32)
    """
    array, most = pair(t, clip_norm)
    total = np.sum(array * array, axis=axes_of(axes), keepdims=True)
    length = np.sqrt(total)
    clipped = array * most / np.maximum(length, most)
    return np.reshape(clipped, np.shape(array)) if not array.ndim else clipped


def global_norm(t_list: Sequence[Any], name: str | None = None) -> Any:
    """Return the length of several arrays taken as one; None among them is left out."""
    if not isinstance(t_list, (list, tuple)):
        raise BuildTypeError(f"global_norm(): t_list must be a list of arrays, got {t_list!r}.")
    arrays = [given(array) for array in t_list if array is not None]
    halves = [np.sum(array * array) / array.dtype.type(2) for array in arrays]
    total = np.sum(np.stack(halves))
    return np.sqrt(total * total.dtype.type(2))


def clip_by_global_norm(
    t_list: Sequence[Any], clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """Return arrays made shorter together, and the length that they had together.

    Args:
        t_list: Arrays; None stays None.
        clip_norm: The most their length together may be.
        use_norm: What to take for their length.
        name: No effect.
    """
    length = global_norm(t_list) if use_norm is None else given(use_norm)
    dtype = given_dtype(length)
    assert dtype is not None
    kind = dtype.type
    most = kind(clip_norm)
    scale = most * np.minimum(kind(1) / length, kind(1) / most)
    # NaN everywhere where the length is infinite, as TensorFlow has it.
    scale = scale + (length - length)
    return [None if t is None else given(t) * scale for t in t_list], length


def normalize(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None
) -> tuple[Any, Any]:
    """Return an array divided by its norm, and the norm, whose axes keep the length 1.

    Args:
        tensor: The array.
        ord: Which norm, see ``norm``.
        axis: Along which; all of it by default.
        name: No effect.
    """
    array = given(tensor)
    length = norm(array, ord, axis, keepdims=True)
    return array / length, length


def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any]:
    """Return mean and variance along axes.

    Args:
        x: The array; float16 is computed as float32.
        axes: Along which.
        shift: No effect, as in TensorFlow.
        keepdims: Whether axes stay, with the length 1.
        name: No effect.

    Example:
        >>> moments([1.0, 3.0], [0])
        (array(2., dtype=float32), array(1., dtype=float32))
    """
    array = given(x)
    exact = array.astype(np.float32) if array.dtype == np.float16 else array
    mean = reduce_mean(exact, axes, keepdims=True)
    away = exact - mean
    variance = reduce_mean(away * away, axes, keepdims=True)
    if not keepdims:
        along = axes_of(axes)
        along = tuple(range(array.ndim)) if along is None else along
        mean, variance = np.squeeze(mean, along), np.squeeze(variance, along)
    if exact is not array:
        mean, variance = mean.astype(array.dtype), variance.astype(array.dtype)
    return mean, variance


def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Any:
    """Return numbers with a mean taken off and divided by a standard deviation.

    Args:
        x: The numbers.
        mean: The mean.
        variance: The variance.
        offset: What to add afterwards, or None.
        scale: What to multiply with, or None.
        variance_epsilon: What to add to the variance first.
        name: No effect.
    """
    array = given(x)
    kind = array.dtype.type
    factor = kind(1) / np.sqrt(given(variance, array.dtype) + kind(variance_epsilon))
    if scale is not None:
        factor = factor * given(scale, array.dtype)
    shift = -(given(mean, array.dtype) * factor)
    if offset is not None:
        shift = given(offset, array.dtype) + shift
    return array * factor + shift
