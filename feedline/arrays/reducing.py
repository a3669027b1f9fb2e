"""reducing: sums, means and other numbers of many, with the dtype of what they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import axes_of, dtype_of, given, scalar
from feedline.errors import BuildTypeError
from feedline.ragged import RaggedTensor

__all__ = [
    "argmax",
    "argmin",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_logsumexp",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
]


def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return sums along axes, or of everything.

    Example:
        >>> reduce_sum([[1, 2], [3, 4]], axis=0)
        array([4, 6], dtype=int32)
    """
    return _reduced(np.sum, input_tensor, axis, keepdims, keeps_dtype=True)


def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return products along axes, or of everything."""
    return _reduced(np.prod, input_tensor, axis, keepdims, keeps_dtype=True)


def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return the largest numbers along axes, or of everything."""
    return _reduced(np.max, input_tensor, axis, keepdims)


def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return the smallest numbers along axes, or of everything."""
    return _reduced(np.min, input_tensor, axis, keepdims)


def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return whether any is true."""
    return _reduced(np.any, _bools("reduce_any()", input_tensor), axis, keepdims)


def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return whether all are true."""
    return _reduced(np.all, _bools("reduce_all()", input_tensor), axis, keepdims)


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return means; those of integers are integers, with the fraction cut off.

    Example:
        >>> reduce_mean([1, 2, 5, 7]), reduce_mean([1.0, 2.0])
        (np.int32(3), np.float32(1.5))
    """
    array = given(input_tensor)
    if isinstance(array, RaggedTensor):
        return _reduced(np.mean, array, axis, keepdims)
    if array.dtype.kind not in "iu":
        return _reduced(np.mean, array, axis, keepdims)
    total = reduce_sum(array, axis, keepdims)
    count = _count(array, axis)
    # NumPy rounds down, TensorFlow towards zero.
    return np.sign(total) * (np.abs(total) // total.dtype.type(count))


def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return variances, divided by the number of values."""
    return _reduced(np.var, _floats("reduce_variance()", input_tensor), axis, keepdims)


def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return standard deviations."""
    return _reduced(np.std, _floats("reduce_std()", input_tensor), axis, keepdims)


def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return the logarithm of the sum of exponentials, without overflow."""
    array = given(input_tensor)
    top = np.max(array, axis=_all_axes(array, axis), keepdims=True)
    top = np.where(np.isfinite(top), top, np.zeros_like(top))
    total = np.sum(np.exp(array - top), axis=_all_axes(array, axis), keepdims=True)
    made = np.log(total) + top
    return made if keepdims else scalar(np.squeeze(made, _all_axes(array, axis)))


def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Return square roots of sums of squares."""
    array = given(input_tensor)
    total = reduce_sum(np.square(np.abs(array)), axis, keepdims)
    return np.sqrt(total).astype(array.dtype)


def count_nonzero(
    input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = np.int64,
    name: str | None = None,
) -> Any:
    """Return how many numbers are not zero."""
    hits = np.not_equal(given(input), 0).astype(dtype_of(dtype))
    return reduce_sum(hits, axis, bool(keepdims))


def argmax(
    input: Any, axis: Any = None, output_type: Any = np.int64, name: str | None = None
) -> Any:
    """Return the places of the largest numbers along an axis, by default the first."""
    found = np.argmax(given(input), 0 if axis is None else axes_of(axis))
    return found.astype(dtype_of(output_type))


def argmin(
    input: Any, axis: Any = None, output_type: Any = np.int64, name: str | None = None
) -> Any:
    """Return the places of the smallest numbers along an axis, by default the first."""
    found = np.argmin(given(input), 0 if axis is None else axes_of(axis))
    return found.astype(dtype_of(output_type))


def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """Return running sums along an axis.

    Args:
        x: The array.
        axis: Along which to sum.
        exclusive: Whether each sum leaves out the number at its own place.
        reverse: Whether to sum from the end.
        name: No effect.

    Example:
        >>> cumsum([1, 2, 3], exclusive=True), cumsum([1, 2, 3], reverse=True)
        (array([0, 1, 3], dtype=int32), array([6, 5, 3], dtype=int32))
    """
    return _running(np.cumsum, given(x), axes_of(axis), exclusive, reverse)


def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """Return running products along an axis."""
    return _running(np.cumprod, given(x), axes_of(axis), exclusive, reverse)


def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """Return running logarithms of sums of exponentials along an axis."""
    array, axis = given(x), axes_of(axis)
    if reverse:
        return np.flip(cumulative_logsumexp(np.flip(array, axis), axis, exclusive), axis)
    made = np.logaddexp.accumulate(array, axis=axis)
    return _moved(made, axis, made.dtype.type(np.finfo(made.dtype).min)) if exclusive else made


def _running(function: Any, array: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    if reverse:
        return np.flip(_running(function, np.flip(array, axis), axis, exclusive, False), axis)
    made = function(array, axis=axis, dtype=array.dtype)
    return _moved(made, axis, array.dtype.type(function is np.cumprod)) if exclusive else made


def _moved(made: Any, axis: int, first: Any) -> Any:
    """Return an array moved by one along an axis, with ``first`` where nothing comes before."""
    axis %= made.ndim
    before = (slice(None),) * axis
    head = np.full_like(made[(*before, slice(0, 1))], first)
    return np.concatenate([head, made[(*before, slice(0, -1))]], axis)


def _reduced(
    function: Any, value: Any, axis: Any, keepdims: bool, *, keeps_dtype: bool = False
) -> Any:
    array = given(value)
    more: dict[str, Any] = {"dtype": array.dtype} if keeps_dtype else {}
    if keepdims:
        more["keepdims"] = True
    if function in (np.max, np.min) and isinstance(array, np.ndarray) and not array.size:
        more["initial"] = _of_nothing(array.dtype, lowest=function is np.max)
    return scalar(function(array, axis=axes_of(axis), **more))


def _of_nothing(dtype: np.dtype[Any], *, lowest: bool) -> Any:
    """Return what TensorFlow has for the largest, or smallest, of no numbers."""
    if dtype.kind == "f":
        return -np.inf if lowest else np.inf
    if dtype.kind == "b":
        return not lowest
    return np.iinfo(dtype).min if lowest else np.iinfo(dtype).max


def _count(array: Any, axis: Any) -> int:
    axes = _all_axes(array, axis)
    return max(int(np.prod([array.shape[one] for one in axes], dtype=np.int64)), 1)


def _all_axes(array: Any, axis: Any) -> tuple[int, ...]:
    axes = axes_of(axis)
    if axes is None:
        return tuple(range(array.ndim))
    return axes if isinstance(axes, tuple) else (axes,)


def _bools(call: str, value: Any) -> Any:
    array = given(value)
    if array.dtype != bool:
        raise BuildTypeError(f"{call}: input_tensor must be bool, got {array.dtype}.")
    return array


def _floats(call: str, value: Any) -> Any:
    array = given(value)
    if array.dtype.kind not in "fc":
        raise BuildTypeError(f"{call}: input_tensor must be floats, got {array.dtype}. Use cast().")
    return array
