"""gathering: slices by index, where the values or the indices are ragged."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, InvalidArgumentError
from feedline.ragged.calls import parts_of
from feedline.ragged.dense import of_dense
from feedline.ragged.joining import with_rows
from feedline.ragged.rows import Parts, length_of, taken
from feedline.ragged.tensor import RaggedTensor

__all__ = ["gathered"]


def gathered(params: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    """Return slices of ``params`` along the axis after the batch."""
    if axis != batch_dims or batch_dims > 1:
        raise BuildError(
            "gather(): of ragged values, axis must be batch_dims, and 0 or 1, "
            f"got axis={axis} and batch_dims={batch_dims}."
        )
    values, places = parts_of(params), parts_of(indices)
    if not batch_dims:
        made = _picked(values, places)
        whole = RaggedTensor.of_parts(made)
        return whole if places[0] or places[1].ndim else whole[0]
    rows, flat = with_rows(values, 1)
    index_rows, index = with_rows(places, 1) if np.ndim(indices) > 1 else places
    if len(index_rows) != 1 or index.ndim != 1 or index_rows[0].count != rows[0].count:
        raise BuildError(
            "gather(): with batch_dims=1, indices must have two axes and a row for each of params."
        )
    batch = index_rows[0].ids
    _check_bounds(index, rows[0].lengths[batch])
    inner = taken((rows[1:], flat), rows[0].starts[batch] + index)
    if not (places[0] or inner[0]):
        return inner[1].reshape(*places[1].shape, *inner[1].shape[1:])
    return RaggedTensor.of_parts(([*index_rows, *inner[0]], inner[1]))


def _picked(values: Parts, places: Parts) -> Parts:
    rows, index = places
    if index.ndim > 1:
        extra, index = of_dense(index, None, None, index.ndim - 1, np.int64)
        rows = [*rows, *extra]
    flat = index.ravel()
    _check_bounds(flat, length_of(values))
    inner, made = taken(values, flat)
    return [*rows, *inner], made


def _check_bounds(index: NDArray[Any], lengths: Any) -> None:
    outside = (index < 0) | (index >= lengths)
    if outside.any():
        raise InvalidArgumentError(
            f"gather(): indices must lie inside the axis, got {index[outside].tolist()}."
        )
