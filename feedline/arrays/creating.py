"""creating: arrays made of nothing but numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import (
    axes_of,
    boxed,
    dtype_of,
    given,
    given_all,
    scalar,
    static_ints,
    varying,
)
from feedline.errors import BuildError
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in

__all__ = [
    "eye",
    "fill",
    "linspace",
    "meshgrid",
    "one_hot",
    "ones",
    "ones_like",
    "range_",
    "zeros",
    "zeros_like",
]


def zeros(shape: Any, dtype: Any = np.float32, name: str | None = None) -> Any:
    """Return an array of zeros; of empty strings, if that is the dtype."""
    wanted = dtype_of(dtype)
    return _filled(shape, b"" if wanted == object else wanted.type(0), wanted)


def ones(shape: Any, dtype: Any = np.float32, name: str | None = None) -> Any:
    """Return an array of ones."""
    wanted = dtype_of(dtype)
    return _filled(shape, wanted.type(1), wanted)


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    """Return an array of one number.

    Example:
        >>> fill([2], 1.5)
        array([1.5, 1.5], dtype=float32)
    """
    item = given(value)
    return _filled(dims, item, getattr(item, "dtype", np.dtype(object)))


def _filled(shape: Any, value: Any, dtype: np.dtype[Any]) -> Any:
    lengths = static_ints(shape)
    if lengths is None:
        return varying(_full, [given(shape), value, dtype], "the array")[0]
    if isinstance(value, Symbol):
        return np.copy(np.broadcast_to(value, lengths))
    return scalar(np.full(lengths, boxed(value), dtype))


def _full(shape: Any, value: Any, dtype: Any) -> list[Any]:
    return [np.full(tuple(int(length) for length in shape), boxed(value), dtype)]


def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Return zeros in the shape of an array."""
    array = given(input)
    return scalar(np.zeros_like(array, None if dtype is None else dtype_of(dtype)))


def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Return ones in the shape of an array."""
    array = given(input)
    return scalar(np.ones_like(array, None if dtype is None else dtype_of(dtype)))


def range_(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range"
) -> Any:
    """Return numbers from ``start`` up to ``limit``, which is left out.

    Example:
        >>> range_(3), range_(1, 2, 0.5)
        (array([0, 1, 2], dtype=int32), array([1. , 1.5], dtype=float32))
    """
    if limit is None:
        start, limit = 0, start
    wanted = None if dtype is None else dtype_of(dtype)
    if symbols_in([start, limit, delta]):
        return varying(_arange, [start, limit, delta, wanted], "range()")[0]
    return _arange(start, limit, delta, wanted)[0]


def _arange(start: Any, limit: Any, delta: Any, dtype: Any) -> list[Any]:
    bounds = [start, limit, delta]
    if any(np.ndim(bound) for bound in bounds):
        raise BuildError("range(): start, limit and delta must be scalars.")
    if delta == 0 or (delta > 0 and start > limit) or (delta < 0 and start < limit):
        raise BuildError(f"range(): {start} never reaches {limit} by steps of {delta}.")
    if dtype is None:
        dtype = max((given(bound).dtype for bound in bounds), key=_range_order)
    if dtype.kind == "f":
        count = int(np.ceil(abs((float(limit) - float(start)) / float(delta))))
        # As TensorFlow counts: in the precision of the result.
        return [dtype.type(start) + np.arange(count).astype(dtype) * dtype.type(delta)]
    return [np.arange(start, limit, delta, dtype=dtype)]


def _range_order(dtype: np.dtype[Any]) -> tuple[bool, int]:
    return dtype.kind == "f", dtype.itemsize


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Any:
    """Return ``num`` numbers from ``start`` to ``stop``, evenly spaced, both ends included."""
    first, last = (scalar(one) for one in given_all([start, stop]))
    count = static_ints(num)
    if count is None:
        raise BuildError("linspace(): num must be known while recording.")
    dtype = np.result_type(first.dtype, last.dtype)
    if dtype.kind != "f":
        dtype = np.dtype(np.float64)
    return np.linspace(first, last, count[0], axis=axes_of(axis)).astype(dtype)


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = np.float32,
    name: str | None = None,
) -> Any:
    """Return an identity matrix, or a batch of them."""
    made = np.eye(int(num_rows), None if num_columns is None else int(num_columns))
    made = made.astype(dtype_of(dtype))
    batch = () if batch_shape is None else static_ints(batch_shape)
    if batch is None:
        raise BuildError("eye(): batch_shape must be known while recording.")
    return np.broadcast_to(made, (*batch, *made.shape)).copy() if batch else made


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """Return vectors with a one at each index and zeros elsewhere.

    Args:
        indices: Integers; one that is out of range gives only zeros.
        depth: How long a vector is.
        on_value: What to put instead of one.
        off_value: What to put instead of zero.
        axis: Where the vectors go, by default last.
        dtype: float32 if no value says another.
        name: No effect.

    Example:
        >>> one_hot([0, 2], 3)
        array([[1., 0., 0.],
               [0., 0., 1.]], dtype=float32)
    """
    array, count = given(indices), static_ints(depth)
    if count is None:
        raise BuildError("one_hot(): depth must be known while recording.")
    given_values = [value for value in (on_value, off_value) if value is not None]
    if dtype is not None:
        wanted = dtype_of(dtype)
    else:
        wanted = given(given_values[0]).dtype if given_values else np.dtype(np.float32)
    on = wanted.type(1 if on_value is None else on_value)
    off = wanted.type(0 if off_value is None else off_value)
    hits = np.expand_dims(array, -1) == np.arange(count[0], dtype=array.dtype)
    made = np.where(hits, on, off)
    return made if axis in (None, -1) else np.moveaxis(made, -1, axes_of(axis))


def meshgrid(*args: Any, **kwargs: Any) -> list[Any]:
    """Return coordinates of all points of a grid, one array for each axis.

    Args:
        *args: The places along each axis.
        **kwargs: ``indexing``, "xy" or "ij"; ``name`` has no effect.
    """
    indexing = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise BuildError(f"meshgrid(): unknown arguments {sorted(kwargs)}.")
    return list(np.meshgrid(*(given(arg) for arg in args), indexing=indexing))
