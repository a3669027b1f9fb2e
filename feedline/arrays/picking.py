"""picking: parts of arrays, chosen by place or by condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import axes_of, given, pair, static_ints, varying
from feedline.arrays.norms import clip_by_norm
from feedline.errors import BuildError, InvalidArgumentError, SpecError
from feedline.graph.operation import operation
from feedline.graph.rows import Rows
from feedline.graph.rule import batched, loops
from feedline.ragged import RaggedTensor
from feedline.ragged.gathering import gathered

__all__ = [
    "boolean_mask",
    "embedding_lookup",
    "gather",
    "gather_nd",
    "reverse",
    "roll",
    "slice_",
    "strided_slice",
    "where",
]


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Return ``x`` where a condition is true and ``y`` elsewhere; alone, the true places.

    Example:
        >>> where([True, False], [1, 2], [10, 20]), where([False, True])
        (array([ 1, 20], dtype=int32), array([[1]]))
    """
    if (x is None) != (y is None):
        raise BuildError("where(): give both x and y, or neither.")
    if x is None:
        return varying(_true_places, [given(condition)], "where()")[0]
    first, second = pair(x, y)
    if isinstance(condition, bool):
        condition = np.bool_(condition)
    chosen = np.where(given(condition), first, second)
    return chosen[()] if isinstance(chosen, np.ndarray) and not chosen.ndim else chosen


def _true_places(condition: Any) -> list[Any]:
    return [np.argwhere(condition)]


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Any:
    """Return the parts of an array where a mask is true.

    Example:
        >>> boolean_mask([1, 2, 3], [True, False, True])
        array([1, 3], dtype=int32)
    """
    skipped = 0 if axis is None else axes_of(axis)
    return varying(_masked, [given(tensor), given(mask), skipped], "boolean_mask()")[0]


def _masked(array: Any, mask: Any, skipped: Any) -> list[Any]:
    if mask.dtype != bool or not mask.ndim:
        raise BuildError("boolean_mask(): mask must be an array of bools.")
    skipped %= array.ndim
    if array.shape[skipped : skipped + mask.ndim] != mask.shape:
        raise SpecError(
            f"boolean_mask(): the mask {mask.shape} must fit the array {array.shape} "
            f"from axis {skipped} on."
        )
    return [array[(slice(None),) * skipped + (mask,)]]


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """Return an array in reverse order along axes."""
    axes = axes_of(axis)
    return np.flip(given(tensor), axes if isinstance(axes, tuple) else (axes,))


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Any:
    """Return an array moved along axes, with what falls off put in at the other end."""
    return np.roll(given(input), axes_of(shift), axes_of(axis))


# ---- by index --------------------------------------------------------------------


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Any:
    """Return slices of an array by index.

    Args:
        params: The array.
        indices: Integers from 0 on; others are an error.
        validate_indices: No effect.
        axis: The axis they count along; the first after the batch by default.
        batch_dims: How many first axes the two have in common; all of ``indices`` but so many
            if it is negative.
        name: No effect.

    Example:
        >>> gather([10, 20, 30], [2, 0])
        array([30, 10], dtype=int32)
    """
    array, index = given(params), given(indices)
    is_ragged = isinstance(array, RaggedTensor) or isinstance(index, RaggedTensor)
    along = batch_dims if axis is None else axes_of(axis)
    if not (along or axis is None or is_ragged):
        batch_dims = 0  # TensorFlow does not look at it then
    rank = np.ndim(index)
    if not -rank <= batch_dims <= rank:
        raise InvalidArgumentError(
            f"gather(): batch_dims must be from {-rank} to {rank}, the axes of the indices, "
            f"got {batch_dims}."
        )
    batch = batch_dims + rank if batch_dims < 0 else batch_dims
    if is_ragged:
        return gathered(array, index, batch if axis is None else along, batch)
    return _gather(array, index, along % array.ndim, batch)


def embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Any:
    """Return rows of a table by index.

    Args:
        params: The table, or a list of one.
        ids: Integers from 0 on.
        max_norm: How long a row may be at most; longer ones are made shorter.
        name: No effect.
    """
    if isinstance(params, (list, tuple)) and params and np.ndim(params[0]):
        if len(params) > 1:
            raise BuildError("embedding_lookup(): params must be one table. Use concat() first.")
        params = params[0]
    rows = gather(params, ids)
    if max_norm is None:
        return rows
    axes = list(range(np.ndim(given(ids)), rows.ndim))
    return clip_by_norm(rows, max_norm, axes)


@operation
def _gather(array: Any, index: Any, axis: int, batch: int) -> Any:
    _check_bounds("gather()", index, array.shape[axis])
    if not batch:
        return np.take(array, index, axis)
    if batch > axis or array.shape[:batch] != index.shape[:batch]:
        raise InvalidArgumentError(
            f"gather(): the first {batch} axes must be of the same lengths and come before the "
            f"axis, {axis}, got the shapes {array.shape} and {index.shape}."
        )
    moved = np.moveaxis(array, axis, batch)
    places = np.meshgrid(*map(np.arange, index.shape[:batch]), indexing="ij")
    lined = [p.reshape(p.shape + (1,) * (index.ndim - batch)) for p in places]
    found = moved[(*lined, index)]
    between = list(range(batch + index.ndim - batch, index.ndim + axis - batch))
    return np.moveaxis(found, between, range(batch, axis))


@batched(_gather, fresh=True)
def _gather_rows(array: Any, index: Any, axis: int, batch: int) -> Any:
    if not isinstance(array, Rows):
        if axis or batch:
            raise NotImplementedError
        return _gather(array, index.array, 0, 0)
    if not isinstance(index, Rows):
        if batch:
            raise NotImplementedError
        return _gather(array.array, index, axis + 1, 0)
    return _gather(array.array, index.array, axis + 1, batch + 1)


def _check_bounds(call: str, index: Any, length: int) -> None:
    if np.asarray(index).dtype.kind not in "iu":
        raise BuildError(f"{call}: indices must be integers, got {np.asarray(index).dtype}.")
    if np.size(index) and (np.min(index) < 0 or np.max(index) >= length):
        raise SpecError(f"{call}: indices must be from 0 to {length - 1}, got {index}.")


def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Any:
    """Return parts of an array by vectors of indices, which lie along the last axis."""
    return _gather_nd(given(params), given(indices), batch_dims)


@operation
def _gather_nd(array: Any, index: Any, batch: int) -> Any:
    if batch:
        shape = array.shape[:batch]
        flat = array.reshape(-1, *array.shape[batch:])
        rows = index.reshape(-1, *index.shape[batch:])
        made = np.stack([_gather_nd(a, i, 0) for a, i in zip(flat, rows, strict=True)])
        return made.reshape(*shape, *made.shape[1:])
    places = np.moveaxis(np.asarray(index), -1, 0)
    for place, length in zip(places, array.shape, strict=False):
        _check_bounds("gather_nd()", place, length)
    return array[tuple(places)]


@batched(_gather_nd, fresh=True)
def _gather_nd_rows(array: Any, index: Any, batch: int) -> Any:
    if batch or isinstance(index, Rows):
        raise NotImplementedError
    places = np.moveaxis(np.asarray(index), -1, 0)
    return array.array[(slice(None), *places)]


# ---- by bounds ---------------------------------------------------------------------


def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """Return the part of an array that begins somewhere and has a size; -1 is all the rest.

    Example:
        >>> slice_([1, 2, 3, 4], [1], [2])
        array([2, 3], dtype=int32)
    """
    array, starts, sizes = given(input_), static_ints(begin), static_ints(size)
    if sizes is None:
        return varying(_sliced_anyhow, [array, given(begin), given(size)], "slice()")[0]
    if starts is None:
        if -1 in sizes:
            return varying(_sliced_anyhow, [array, given(begin), sizes], "slice()")[0]
        return _sliced(array, given(begin), sizes)
    return array[_bounds(array, starts, sizes)]


def _bounds(array: Any, starts: Any, sizes: Any) -> tuple[Any, ...]:
    if len(starts) != array.ndim or len(sizes) != array.ndim:
        raise BuildError(f"slice(): begin and size must have {array.ndim} numbers.")
    cuts = []
    for start, size, length in zip(starts, sizes, array.shape, strict=True):
        stop = length if size == -1 else start + size
        if start < 0 or (length is not None and stop > length):
            raise SpecError(f"slice(): {start}..{stop} lies outside of an axis of {length}.")
        cuts.append(slice(start, stop))
    return tuple(cuts)


@operation
def _sliced(array: Any, starts: Any, sizes: Any) -> Any:
    return array[_bounds(array, [int(start) for start in starts], sizes)]


def _sliced_anyhow(array: Any, starts: Any, sizes: Any) -> list[Any]:
    return [array[_bounds(array, [int(s) for s in starts], [int(s) for s in sizes])]]


loops(_sliced)


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Any:
    """Return ``input_[begin[0]:end[0]:strides[0], ...]``.

    A bit of a mask says of the part at its place: that a bound is left out, that it is an
    ellipsis, a new axis, or one index. ``var`` must be None.
    """
    array, starts, stops = given(input_), static_ints(begin), static_ints(end)
    steps = (1,) * len(starts or ()) if strides is None else static_ints(strides)
    if starts is None or stops is None or steps is None or var is not None:
        raise BuildError(
            "strided_slice(): begin, end and strides must be known while recording. "
            "Use slice() for a begin that is not."
        )
    key: list[Any] = []
    for place, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        bit = 1 << place
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(start)
        else:
            first = None if begin_mask & bit else start
            last = None if end_mask & bit else stop
            key.append(slice(first, last, step))
    return array[tuple(key)]
