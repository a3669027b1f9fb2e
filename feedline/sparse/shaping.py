"""shaping: the values of sparse ones in another order, at other places, and parts of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, InvalidArgumentError
from feedline.sparse.places import in_order, numbers_of, places_of
from feedline.sparse.tensor import SparseTensor

__all__ = [
    "concat",
    "expand_dims",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
    "slice_",
    "split",
    "transpose",
]


def reorder(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """Return the same values in the order of their places.

    Example:
        >>> reorder(SparseTensor([[1], [0]], [5, 6], [2])).values.tolist()
        [6, 5]
    """
    return in_order(sp_input.plain_indices, sp_input.plain_values, sp_input.plain_shape)


def reshape(sp_input: SparseTensor, shape: Any, name: str | None = None) -> SparseTensor:
    """Return the same values in another shape, of which one length may be -1."""
    old = sp_input.plain_shape.tolist()
    new = [int(length) for length in shape]
    if new.count(-1) == 1:
        known = math.prod(length for length in new if length != -1)
        new[new.index(-1)] = math.prod(old) // known if known else 0
    if math.prod(new) != math.prod(old):
        raise InvalidArgumentError(
            f"sparse.reshape(): shape must hold {math.prod(old)} values, got {list(shape)}."
        )
    numbers = numbers_of(sp_input.plain_indices, old)
    return SparseTensor(places_of(numbers, new), sp_input.plain_values, new)


def reset_shape(sp_input: SparseTensor, new_shape: Any = None) -> SparseTensor:
    """Return the same values in a larger shape, or in the smallest one that holds them."""
    if new_shape is None:
        shape = sp_input.plain_indices.max(axis=0, initial=-1) + 1
        return SparseTensor(sp_input.plain_indices, sp_input.plain_values, shape)
    shape = np.asarray(new_shape, np.int64)
    old = sp_input.plain_shape
    if shape.shape != old.shape or (shape < old).any():
        raise BuildError(
            f"sparse.reset_shape(): new_shape must be at least {old.tolist()} along every axis, "
            f"got {shape.tolist()}."
        )
    return SparseTensor(sp_input.plain_indices, sp_input.plain_values, shape)


def expand_dims(
    sp_input: SparseTensor, axis: int | None = None, name: str | None = None
) -> SparseTensor:
    """Return the same values with an axis of length 1 more, by default the last."""
    rank = len(sp_input.plain_shape)
    place = -1 if axis is None else int(axis)
    if not -rank - 1 <= place <= rank:
        raise BuildError(f"sparse.expand_dims(): axis must be at most {rank}, got {axis}.")
    place %= rank + 1
    return SparseTensor(
        np.insert(sp_input.plain_indices, place, 0, axis=1),
        sp_input.plain_values,
        np.insert(sp_input.plain_shape, place, 1),
    )


def transpose(sp_input: SparseTensor, perm: Any = None, name: str | None = None) -> SparseTensor:
    """Return the same values with the axes in another order, by default the reverse."""
    rank = len(sp_input.plain_shape)
    axes = list(range(rank))[::-1] if perm is None else [int(axis) for axis in perm]
    if sorted(axes) != list(range(rank)):
        raise BuildError(f"sparse.transpose(): perm must be an order of {rank} axes, got {axes}.")
    shape = sp_input.plain_shape[axes]
    return in_order(sp_input.plain_indices[:, axes], sp_input.plain_values, shape)


def retain(sp_input: SparseTensor, to_retain: Any) -> SparseTensor:
    """Return the values for which there is a True."""
    kept = np.asarray(to_retain, np.bool_)
    if kept.shape != sp_input.plain_values.shape:
        raise InvalidArgumentError(
            f"sparse.retain(): to_retain must be {len(sp_input.plain_values)} bools, "
            f"got the shape {kept.shape}."
        )
    return _kept(sp_input, kept, 0, sp_input.plain_shape)


def slice_(sp_input: SparseTensor, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """Return a part, given where it begins and how large it is, as far as there are values.

    Example:
        >>> part = slice_(SparseTensor([[0, 1], [2, 3]], [5, 6], [3, 4]), [1, 2], [9, 9])
        >>> part.indices.tolist(), part.shape.as_list()
        ([[1, 1]], [2, 2])
    """
    first, lengths = np.asarray(start, np.int64), np.asarray(size, np.int64)
    rank = len(sp_input.plain_shape)
    if first.shape != (rank,) or lengths.shape != (rank,):
        raise BuildError(f"sparse.slice(): start and size must have {rank} numbers.")
    shape = np.maximum(np.minimum(first + lengths, sp_input.plain_shape) - first, 0)
    inside = (sp_input.plain_indices >= first) & (sp_input.plain_indices < first + shape)
    return _kept(sp_input, inside.all(axis=1), first, shape)


def _kept(value: SparseTensor, kept: NDArray[Any], first: Any, shape: Any) -> SparseTensor:
    return SparseTensor(value.plain_indices[kept] - first, value.plain_values[kept], shape)


def split(
    sp_input: SparseTensor, num_split: int, axis: int, name: str | None = None
) -> list[SparseTensor]:
    """Return parts along an axis, equally long but that the first ones may be longer by one."""
    rank = len(sp_input.plain_shape)
    place = int(axis) % rank
    length = int(sp_input.plain_shape[place])
    if not 0 < num_split <= length:
        raise BuildError(f"sparse.split(): num_split must be 1 to {length}, got {num_split}.")
    parts, start = [], np.zeros(rank, np.int64)
    for number in range(num_split):
        size = sp_input.plain_shape.copy()
        size[place] = length // num_split + (number < length % num_split)
        parts.append(slice_(sp_input, start, size))
        start[place] += size[place]
    return parts


def concat(
    axis: int,
    sp_inputs: Sequence[SparseTensor],
    expand_nonconcat_dims: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Return sparse values one after the other along an axis.

    Args:
        axis: The axis.
        sp_inputs: The values.
        expand_nonconcat_dims: Whether other axes may differ in length; the longest counts.
        name: Has no effect.
    """
    call = "sparse.concat()"
    shapes = np.stack([one.plain_shape for one in sp_inputs])
    rank = shapes.shape[1]
    if not -rank <= axis < rank:
        raise BuildError(f"{call}: axis must be below {rank}, got {axis}.")
    place = int(axis) % rank
    others = np.delete(shapes, place, axis=1)
    if not expand_nonconcat_dims and (others != others[0]).any():
        raise InvalidArgumentError(
            f"{call}: shapes must match but for axis {axis}, got {shapes.tolist()}. "
            "expand_nonconcat_dims=True takes the longest."
        )
    if len({one.dtype for one in sp_inputs}) > 1:
        names = [one.dtype.name for one in sp_inputs]
        raise InvalidArgumentError(f"{call}: values must have one dtype, got {names}.")
    whole = shapes.max(axis=0)
    whole[place] = shapes[:, place].sum()
    indices = np.concatenate([one.plain_indices for one in sp_inputs])
    before = np.cumsum(shapes[:, place]) - shapes[:, place]
    indices[:, place] += np.repeat(before, [len(one.plain_values) for one in sp_inputs])
    return in_order(indices, np.concatenate([one.plain_values for one in sp_inputs]), whole)
