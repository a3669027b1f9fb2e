"""making: rows given in other ways than by their splits, and axes that become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.ragged.rows import Parts, Rows

__all__ = ["ints_of", "merged", "of_ids", "of_one_length"]


def ints_of(numbers: Any) -> NDArray[Any]:
    """Return splits or their like: int32 stays, all other integers are int64."""
    array = np.asarray(numbers)
    if array.dtype == np.int32 and not isinstance(numbers, (list, tuple)):
        return array.view(np.ndarray)
    if array.dtype.kind not in "iu" and array.size:
        raise BuildTypeError(f"RaggedTensor: rows are told by integers, got {array.dtype}.")
    return array.astype(np.int64)


def of_ids(ids: NDArray[Any], nrows: int | None) -> Rows:
    """Return rows, given the row that each item is in."""
    if (np.diff(ids) < 0).any() or (len(ids) and ids[0] < 0):
        raise InvalidArgumentError(
            f"RaggedTensor.from_value_rowids(): rows must be in order, got {ids.tolist()}."
        )
    count = int(ids[-1]) + 1 if len(ids) else 0
    if nrows is not None and nrows < count:
        raise InvalidArgumentError(
            f"RaggedTensor.from_value_rowids(): nrows must be at least {count}, got {nrows}."
        )
    return Rows.of_lengths(np.bincount(ids, minlength=int(nrows or count)), ids.dtype)


def of_one_length(count: int, length: int, nrows: int | None) -> Rows:
    """Return rows of one length of ``count`` items."""
    call = "RaggedTensor.from_uniform_row_length()"
    rows = nrows if nrows is not None else count // length if length else 0
    if length < 0 or rows * length != count:
        raise BuildError(
            f"{call}: uniform_row_length={length} times nrows={rows} must be the number of "
            f"values, {count}."
        )
    return Rows.of_one_length(length, int(rows))


def merged(parts: Parts, outer_axis: int, inner_axis: int) -> Parts:
    """Return a value with the axes from one to another as a single one."""
    rows, flat = parts
    rank = len(rows) + flat.ndim
    if not (-rank <= outer_axis < rank and -rank <= inner_axis < rank):
        raise BuildError(
            f"merge_dims(): axes must be below {rank}, got {outer_axis} and {inner_axis}."
        )
    outer, inner = outer_axis % rank, inner_axis % rank
    if outer > inner:
        raise BuildError(
            f"merge_dims(): outer_axis must not come after inner_axis, got {outer_axis} and "
            f"{inner_axis}."
        )
    for _ in range(inner - outer):
        rows, flat = _without_axis(rows, flat, outer)
    return rows, flat


def _without_axis(rows: Sequence[Rows], flat: NDArray[Any], axis: int) -> Parts:
    """Return a value with an axis and the next one as one."""
    rank = len(rows)
    if axis >= rank and (axis > rank or not rank):
        at = axis - rank
        both = flat.shape[at] * flat.shape[at + 1]
        return rows, flat.reshape(*flat.shape[:at], both, *flat.shape[at + 2 :])
    if axis == 0:
        return rows[1:], flat
    outer = rows[axis - 1]
    if axis < rank:
        one = Rows(rows[axis].splits[outer.splits])
        return [*rows[: axis - 1], one, *rows[axis + 1 :]], flat
    length, width, *rest = flat.shape
    one = Rows(outer.splits * outer.splits.dtype.type(width))
    return [*rows[:-1], one], flat.reshape(length * width, *rest)
