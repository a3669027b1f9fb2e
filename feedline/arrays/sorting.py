"""sorting: order, places in an order, and what occurs how often."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from feedline.arrays.given import axes_of, dtype_of, given, varying
from feedline.errors import BuildError
from feedline.graph.operation import operation
from feedline.graph.rule import loops
from feedline.values.operators import as_one_kind

__all__ = [
    "TopKV2",
    "Unique",
    "UniqueWithCounts",
    "argsort",
    "in_top_k",
    "is_non_decreasing",
    "is_strictly_increasing",
    "searchsorted",
    "sort",
    "top_k",
    "unique",
    "unique_with_counts",
]


class Unique(NamedTuple):
    """Values in the order in which they first occur, and which of them each input is."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """Values in the order in which they first occur, which each input is, and how often."""

    y: Any
    idx: Any
    count: Any


class TopKV2(NamedTuple):
    """The largest values and their places."""

    values: Any
    indices: Any


def _descends(call: str, direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise BuildError(f"{call}: direction must be ASCENDING or DESCENDING, got {direction!r}.")
    return direction == "DESCENDING"


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """Return an array sorted along an axis."""
    axis = axes_of(axis)
    ordered = np.sort(given(values), axis)
    return np.flip(ordered, axis) if _descends("sort()", direction) else ordered


def argsort(
    values: Any,
    axis: int = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Any:
    """Return the places that would sort an array, as int32; equal values keep their order.

    Example:
        >>> argsort([3, 1, 3, 2], direction="DESCENDING")
        array([0, 2, 3, 1], dtype=int32)
    """
    array, axis = given(values), axes_of(axis)
    if not _descends("argsort()", direction):
        return np.argsort(array, axis, kind="stable").astype(np.int32)
    length = array.shape[axis]
    backwards = np.argsort(np.flip(array, axis), axis, kind="stable")
    return (length - 1 - np.flip(backwards, axis)).astype(np.int32)


def searchsorted(
    sorted_sequence: Any,
    values: Any,
    side: str = "left",
    out_type: Any = np.int32,
    name: str | None = None,
) -> Any:
    """Return where values would go in sorted sequences, which lie along the last axis."""
    found = _searched(given(sorted_sequence), given(values), side)
    return found.astype(dtype_of(out_type))


@operation
def _searched(ordered: Any, values: Any, side: Any) -> Any:
    if ordered.ndim < 2:
        return np.searchsorted(ordered, values, side)
    rows = ordered.reshape(-1, ordered.shape[-1])
    wanted = values.reshape(len(rows), values.shape[-1])
    found = [np.searchsorted(r, w, side) for r, w in zip(rows, wanted, strict=True)]
    return np.stack(found).reshape(values.shape)


loops(_searched, fresh=True)


def unique(x: Any, out_idx: Any = np.int32, name: str | None = None) -> Unique:
    """Return the different values of a vector, in the order in which they first occur.

    Example:
        >>> unique([5, 1, 5]).y
        array([5, 1], dtype=int32)
    """
    y, idx, _ = varying(_found, [given(x), dtype_of(out_idx)], "unique()")
    return Unique(y, idx)


def unique_with_counts(
    x: Any, out_idx: Any = np.int32, name: str | None = None
) -> UniqueWithCounts:
    """Return the different values of a vector, and how often each occurs."""
    return UniqueWithCounts(*varying(_found, [given(x), dtype_of(out_idx)], "unique()"))


def _found(array: Any, dtype: Any) -> list[Any]:
    if array.ndim != 1:
        raise BuildError(f"unique(): x must be a vector, got the shape {array.shape}.")
    if array.dtype == object:
        array = as_one_kind(array)
    y, first, inverse, counts = np.unique(
        array, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return [y[order], places[inverse].astype(dtype), counts[order].astype(dtype)]


def top_k(
    input: Any,
    k: Any = 1,
    sorted: bool = True,
    index_type: Any = np.int32,
    name: str | None = None,
) -> TopKV2:
    """Return the ``k`` largest values along the last axis, and their places."""
    array = given(input)
    if not 0 <= int(k) <= array.shape[-1]:
        raise BuildError(f"top_k(): k must be from 0 to {array.shape[-1]}, got {k}.")
    places = argsort(array, direction="DESCENDING")[..., : int(k)].astype(np.int64)
    values = np.take_along_axis(array, places, -1)
    return TopKV2(values, places.astype(dtype_of(index_type)))


def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Any:
    """Return whether the target class is among the ``k`` best predictions of each row."""
    classes, scores = given(targets), given(predictions)
    own = np.take_along_axis(scores, np.expand_dims(classes, -1).astype(np.int64), -1)
    better = np.sum(scores > own, axis=-1)
    return np.logical_and(better < int(k), np.all(np.isfinite(own), axis=-1))


def is_non_decreasing(x: Any, name: str | None = None) -> Any:
    """Return whether no number is smaller than the one before it."""
    flat = np.reshape(given(x), (-1,))
    return np.all(flat[1:] >= flat[:-1])


def is_strictly_increasing(x: Any, name: str | None = None) -> Any:
    """Return whether every number is larger than the one before it."""
    flat = np.reshape(given(x), (-1,))
    return np.all(flat[1:] > flat[:-1])
