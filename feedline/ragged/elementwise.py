"""elementwise: functions of each number by itself, on ragged values that meet others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import InvalidArgumentError
from feedline.ragged.rows import Rows, coordinates

__all__ = ["aligned", "check_same_rows"]


def check_same_rows(first: Sequence[Rows], second: Sequence[Rows]) -> None:
    """Refuse ragged values whose rows differ in length."""
    if len(first) == len(second) and all(
        one is other or np.array_equal(one.splits, other.splits)
        for one, other in zip(first, second, strict=True)
    ):
        return
    shown = [[head.lengths.tolist() for head in rows] for rows in (first, second)]
    raise InvalidArgumentError(
        f"ragged values must have rows of the same lengths to meet, got {shown[0]} and {shown[1]}."
    )


def aligned(rows: Sequence[Rows], flat: NDArray[Any], other: Any) -> Any:
    """Return what of an array or number meets each of the flat values of a ragged value."""
    array = np.asarray(other)
    inner = flat.ndim - 1
    if array.ndim <= inner:
        return other
    rank = len(rows) + flat.ndim
    if array.ndim > rank:
        raise InvalidArgumentError(
            f"an array of {array.ndim} axes does not meet a RaggedTensor of {rank}."
        )
    whole = array.reshape((1,) * (rank - array.ndim) + array.shape)
    places = coordinates(rows)
    sizes = whole.shape[: len(places)]
    if sizes[0] not in (1, rows[0].count):
        _refuse(array, 0, f"{rows[0].count}", sizes[0])
    for axis, (size, head) in enumerate(zip(sizes[1:], rows, strict=True), 1):
        if size != 1 and (head.lengths != size).any():
            _refuse(array, axis, f"{sorted(set(head.lengths.tolist()))}", size)
    index = [
        axis if size > 1 else np.zeros_like(axis) for axis, size in zip(places, sizes, strict=True)
    ]
    return whole[tuple(index)]


def _refuse(array: NDArray[Any], axis: int, lengths: str, size: int) -> None:
    raise InvalidArgumentError(
        f"an array of shape {array.shape} does not meet a RaggedTensor whose axis {axis} has the "
        f"lengths {lengths}: it has {size} there."
    )
