"""sequences: rows of which each counts up to a length of its own; places in flat arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import axes_of, dtype_of, given, static_ints, varying
from feedline.errors import BuildError, SpecError
from feedline.graph.operation import operation
from feedline.graph.rule import loops
from feedline.graph.trace import symbols_in

__all__ = [
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "invert_permutation",
    "reverse_sequence",
    "sequence_mask",
    "unravel_index",
]


def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: Any = np.bool_, name: str | None = None
) -> Any:
    """Return for each length a row that is true so far.

    Args:
        lengths: Numbers in any shape.
        maxlen: How long a row is; by default the largest length.
        dtype: Of the result.
        name: No effect.

    Example:
        >>> sequence_mask([1, 2], 3, "int32").tolist()
        [[1, 0, 0], [1, 1, 0]]
    """
    array, wanted = given(lengths), dtype_of(dtype)
    count = None if maxlen is None else static_ints(maxlen)
    if count is None:
        most = np.max(array, initial=0) if maxlen is None else given(maxlen)
        if not symbols_in([array, most]):
            return _mask(array, int(most)).astype(wanted)
        return varying(_mask_anyhow, [array, most, wanted], "sequence_mask()")[0]
    return _mask(array, count[0]).astype(wanted)


def _mask(lengths: Any, count: int) -> Any:
    return np.arange(count) < np.expand_dims(lengths, -1)


def _mask_anyhow(lengths: Any, count: Any, dtype: Any) -> list[Any]:
    return [_mask(lengths, int(count)).astype(dtype)]


def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: Any = None,
    batch_axis: Any = None,
    name: str | None = None,
) -> Any:
    """Return sequences of which the first so many are in reverse order.

    Args:
        input: The sequences.
        seq_lengths: For each of the batch, how many to reverse.
        seq_axis: The axis along which they go.
        batch_axis: The axis of the batch; the first by default.
        name: No effect.
    """
    array = given(input)
    if seq_axis is None:
        raise BuildError("reverse_sequence(): seq_axis must be given.")
    along = axes_of(seq_axis) % array.ndim
    batch = 0 if batch_axis is None else axes_of(batch_axis) % array.ndim
    if along == batch:
        raise BuildError(f"reverse_sequence(): seq_axis and batch_axis are both {along}.")
    return _reversed(array, given(seq_lengths), along, batch)


@operation
def _reversed(array: Any, lengths: Any, along: int, batch: int) -> NDArray[Any]:
    count = array.shape[along]
    if np.shape(lengths) != (array.shape[batch],):
        raise BuildError(
            f"reverse_sequence(): seq_lengths must be {array.shape[batch]} numbers, got the shape "
            f"{np.shape(lengths)}."
        )
    if np.size(lengths) and (np.min(lengths) < 0 or np.max(lengths) > count):
        raise SpecError(f"reverse_sequence(): seq_lengths must be 0 to {count}, got {lengths}.")
    steps = np.arange(count)
    ends = np.asarray(lengths)[:, None]
    places = np.where(steps < ends, ends - 1 - steps, steps)
    lined = [1] * array.ndim
    lined[batch], lined[along] = places.shape
    turned = places if batch < along else places.T
    return np.take_along_axis(array, turned.reshape(lined), along)


loops(_reversed, fresh=True)


def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Any:
    """Return places in a flat array as places along each axis, which lie along the first axis."""
    index, shape = given(indices), given(dims)
    lengths = static_ints(dims)
    if lengths is None:
        raise BuildError("unravel_index(): dims must be known while recording.")
    dtype = np.result_type(index.dtype, getattr(shape, "dtype", np.int32))
    return _unraveled(index, lengths, dtype)


@operation
def _unraveled(index: Any, dims: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    count = int(np.prod(dims, dtype=np.int64))
    if np.size(index) and (np.min(index) < 0 or np.max(index) >= count):
        raise SpecError(f"unravel_index(): indices must be from 0 to {count - 1}, got {index}.")
    return np.stack(np.unravel_index(index, dims)).astype(dtype)


loops(_unraveled, fresh=True)


def invert_permutation(x: Any, name: str | None = None) -> Any:
    """Return where each number from 0 on stands in a permutation.

    Example:
        >>> invert_permutation([2, 0, 1])
        array([1, 2, 0], dtype=int32)
    """
    return _inverted(given(x))


@operation
def _inverted(order: Any) -> Any:
    if order.ndim != 1 or not np.array_equal(np.sort(order), np.arange(len(order))):
        raise SpecError(f"invert_permutation(): x must be a permutation of 0, 1, ..., got {order}.")
    made = np.empty_like(order)
    made[order] = np.arange(len(order), dtype=order.dtype)
    return made


loops(_inverted, fresh=True)


def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = np.int32, name: str | None = None
) -> Any:
    """Return which of equally wide bins each number falls into, the first and last included.

    Args:
        values: The numbers.
        value_range: Where the first bin begins and the last one ends.
        nbins: How many bins there are.
        dtype: Of the result.
        name: No effect.
    """
    return _bins(given(values), _range_of(values, value_range), _count(nbins)).astype(
        dtype_of(dtype)
    )


def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = np.int32, name: str | None = None
) -> Any:
    """Return how many numbers fall into each of equally wide bins.

    Args:
        values: The numbers; those outside count for the first and the last bin.
        value_range: Where the first bin begins and the last one ends.
        nbins: How many bins there are.
        dtype: Of the result.
        name: No effect.

    Example:
        >>> histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5)
        array([2, 1, 1, 0, 2], dtype=int32)
    """
    return _histogram(given(values), _range_of(values, value_range), _count(nbins)).astype(
        dtype_of(dtype)
    )


def _range_of(values: Any, value_range: Any) -> Any:
    return given(value_range, getattr(given(values), "dtype", None))


def _count(nbins: Any) -> int:
    found = static_ints(nbins)
    if found is None or found[0] < 1:
        raise BuildError(f"histogram_fixed_width(): nbins must be at least 1, got {nbins!r}.")
    return found[0]


@operation
def _bins(values: Any, limits: Any, count: int) -> NDArray[Any]:
    low, high = (float(one) for one in np.asarray(limits))
    if not low < high:
        raise SpecError(f"histogram_fixed_width(): value_range must rise, got {limits}.")
    scaled = (np.asarray(values, np.float64) - low) / (high - low)
    return np.clip(np.floor(scaled * count), 0, count - 1).astype(np.int64)


@operation
def _histogram(values: Any, limits: Any, count: int) -> NDArray[Any]:
    return np.bincount(_bins(values, limits, count).reshape(-1), minlength=count)


loops(_bins, _histogram, fresh=True)
