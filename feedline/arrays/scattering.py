"""scattering: numbers put into arrays at given places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from feedline.arrays.given import given, static_ints, varying
from feedline.errors import BuildError, SpecError
from feedline.graph.operation import operation
from feedline.graph.rows import length_of, stacked
from feedline.graph.rule import batched

__all__ = [
    "dynamic_partition",
    "dynamic_stitch",
    "scatter_nd",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
]


def scatter_nd(
    indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "", name: str | None = None
) -> Any:
    """Return zeros with numbers added at places; what meets at one place is added up.

    Args:
        indices: Vectors of indices along the last axis.
        updates: A number, or a part of the array, for each of them.
        shape: That of the result.
        bad_indices_policy: What to do with an index that is outside: "", "ERROR", or "IGNORE".
        name: No effect.

    Example:
        >>> scatter_nd([[0], [2]], [5, 6], [4])
        array([5, 0, 6, 0], dtype=int32)
    """
    index, values, lengths = given(indices), given(updates), static_ints(shape)
    _check_policy("scatter_nd()", bad_indices_policy)
    if lengths is None:
        args = [index, values, given(shape), bad_indices_policy]
        return varying(_scattered_anyhow, args, "scatter_nd()")[0]
    return _scattered(index, values, lengths, bad_indices_policy)


@operation
def _scattered(index: Any, values: Any, shape: tuple[int, ...], policy: str) -> Any:
    values = np.asarray(values, getattr(values, "dtype", object))
    empty = b"" if values.dtype == object else values.dtype.type(0)
    made = np.full(shape, empty, values.dtype)
    return _put("scatter_nd()", made, index, values, policy, np.add)


def _scattered_anyhow(index: Any, values: Any, shape: Any, policy: str) -> list[Any]:
    return [_scattered(index, values, tuple(int(length) for length in shape), policy)]


def _put(call: str, array: Any, index: Any, values: Any, policy: str, how: np.ufunc | None) -> Any:
    index = np.asarray(index)
    if index.dtype.kind not in "iu" or not index.ndim or index.shape[-1] > array.ndim:
        raise BuildError(
            f"{call}: indices must be integers for at most {array.ndim} axes, got {index.dtype} "
            f"of the shape {index.shape}."
        )
    depth = index.shape[-1]
    wanted = (*index.shape[:-1], *array.shape[depth:])
    if np.shape(values) != wanted:
        raise BuildError(f"{call}: updates must have the shape {wanted}, got {np.shape(values)}.")
    places = index.reshape(-1, depth)
    inside = np.all((places >= 0) & (places < array.shape[:depth]), axis=1)
    rows = np.reshape(values, (len(places), *array.shape[depth:]))
    if not inside.all():
        if policy != "IGNORE":
            bad = places[~inside][0].tolist()
            raise SpecError(f"{call}: the index {bad} lies outside of the shape {array.shape}.")
        places, rows = places[inside], rows[inside]
    key = tuple(places.T)
    if how is None or array.dtype == object:
        array[key] = rows
    else:
        how.at(array, key, rows)
    return array


@batched(_scattered, fresh=True)
def _scattered_rows(index: Any, values: Any, shape: tuple[int, ...], policy: str) -> Any:
    count = length_of((index, values))
    return _scattered(_numbered(index, count), stacked(values, count), (count, *shape), policy)


def _numbered(index: Any, count: int) -> Any:
    """Return the indices of all elements of a block, each with the number of its element."""
    places = stacked(index, count)
    numbers = np.arange(count).reshape(count, *(1,) * (places.ndim - 1))
    return np.concatenate([np.broadcast_to(numbers, (*places.shape[:-1], 1)), places], axis=-1)


@operation
def _changed(call: str, array: Any, index: Any, values: Any, policy: str, how: Any) -> Any:
    return _put(call, np.array(array), index, np.asarray(values), policy, how)


@batched(_changed, fresh=True)
def _changed_rows(call: str, array: Any, index: Any, values: Any, policy: str, how: Any) -> Any:
    count = length_of((array, index, values))
    arrays, rows = stacked(array, count), stacked(values, count)
    return _changed(call, arrays, _numbered(index, count), rows, policy, how)


def _check_policy(call: str, policy: str) -> None:
    if policy not in ("", "ERROR", "IGNORE"):
        raise BuildError(f"{call}: bad_indices_policy must be ERROR or IGNORE, got {policy!r}.")


def tensor_scatter_nd_update(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Any:
    """Return an array with other numbers at places; the last counts where several meet.

    Args:
        tensor: The array, which is copied.
        indices: Vectors of indices along the last axis.
        updates: A number, or a part of the array, for each of them.
        name: No effect.

    Example:
        >>> tensor_scatter_nd_update([1, 2, 3], [[1]], [9])
        array([1, 9, 3], dtype=int32)
    """
    array = given(tensor)
    call, values = "tensor_scatter_nd_update()", given(updates, array.dtype)
    return _changed(call, array, given(indices), values, "", None)


def _made(name: str, how: np.ufunc, what: str) -> Callable[..., Any]:
    def call(
        tensor: Any,
        indices: Any,
        updates: Any,
        bad_indices_policy: str = "",
        name: str | None = None,
    ) -> Any:
        _check_policy(f"{title}()", bad_indices_policy)
        array = given(tensor)
        values = given(updates, array.dtype)
        return _changed(f"{title}()", array, given(indices), values, bad_indices_policy, how)

    title = call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return an array with numbers at places {what}."
    return call


tensor_scatter_nd_add = _made("tensor_scatter_nd_add", np.add, "added to")
tensor_scatter_nd_sub = _made("tensor_scatter_nd_sub", np.subtract, "taken off")
tensor_scatter_nd_max = _made("tensor_scatter_nd_max", np.maximum, "replaced by larger ones")
tensor_scatter_nd_min = _made("tensor_scatter_nd_min", np.minimum, "replaced by smaller ones")


def dynamic_partition(
    data: Any, partitions: Any, num_partitions: Any, name: str | None = None
) -> list[Any]:
    """Return the parts of an array that have each number, in their order.

    Args:
        data: The array.
        partitions: Which part each of its first axes' slices belongs to.
        num_partitions: How many parts there are.
        name: No effect.

    Example:
        >>> dynamic_partition([10, 20, 30], [0, 1, 0], 2)
        [array([10, 30], dtype=int32), array([20], dtype=int32)]
    """
    args = [given(data), given(partitions), int(num_partitions)]
    made: list[Any] = varying(_parts, args, "dynamic_partition()")
    return list(made)


def _parts(data: Any, numbers: Any, count: int) -> list[Any]:
    numbers = np.asarray(numbers)
    if np.shape(data)[: numbers.ndim] != numbers.shape:
        raise BuildError(
            f"dynamic_partition(): partitions {numbers.shape} must fit the data {np.shape(data)}."
        )
    if numbers.size and (numbers.min() < 0 or numbers.max() >= count):
        raise SpecError(f"dynamic_partition(): parts are 0 to {count - 1}, got {numbers}.")
    return [np.asarray(data)[numbers == number] for number in range(count)]


def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Any:
    """Return an array put together of parts, each with the places that its slices go to.

    Args:
        indices: For each part, where its slices go; the last counts where several meet.
        data: The parts.
        name: No effect.

    Example:
        >>> dynamic_stitch([[0, 2], [1]], [[10, 30], [20]])
        array([10, 20, 30], dtype=int32)
    """
    places, parts = [given(one) for one in indices], [given(one) for one in data]
    if not places or len(places) != len(parts):
        raise BuildError("dynamic_stitch(): indices and data must be lists of one length.")
    args = [len(places), *places, *parts]
    return varying(_stitched, args, "dynamic_stitch()")[0]


def _stitched(count: int, *args: Any) -> list[Any]:
    places, parts = args[:count], [np.asarray(part) for part in args[count:]]
    shape = parts[0].shape[np.ndim(places[0]) :]
    length = max((int(np.max(one)) for one in places if np.size(one)), default=-1) + 1
    made = np.zeros((length, *shape), parts[0].dtype)
    for place, part in zip(places, parts, strict=True):
        made[np.reshape(place, -1)] = part.reshape(-1, *shape)
    return [made]
