"""functions: TensorFlow's functions that make ragged values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.narrow import array_of_data
from feedline.ragged.calls import parts_of
from feedline.ragged.elementwise import check_same_rows
from feedline.ragged.joining import stacked, with_rows
from feedline.ragged.making import ints_of, of_ids
from feedline.ragged.rows import Parts, Rows, runs, taken
from feedline.ragged.tensor import RaggedTensor
from feedline.values.dtype import as_dtype
from feedline.values.tensor import as_plain, as_tensor

__all__ = [
    "boolean_mask",
    "map_flat_values",
    "range_",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
]


def stack(values: Sequence[Any], axis: int = 0, name: str | None = None) -> Any:
    """Return ragged values, or arrays of different lengths, along a new axis.

    Example:
        >>> stack([[1, 2], [3]]).to_list()
        [[1, 2], [3]]
    """
    many = [parts_of(value) for value in values]
    ranks = {len(rows) + flat.ndim for rows, flat in many}
    if len(ranks) != 1:
        raise BuildError(f"ragged.stack(): values must have as many axes, got {sorted(ranks)}.")
    rank = ranks.pop()
    if not -rank - 1 <= axis <= rank:
        raise BuildError(f"ragged.stack(): axis must be at most {rank}, got {axis}.")
    if rank == 0:
        return as_tensor(np.stack([flat for _, flat in many]))
    made = as_tensor(RaggedTensor.of_parts(stacked(many, axis % (rank + 1))))
    if isinstance(made, RaggedTensor) and not any(rows for rows, _ in many):
        return made.with_row_splits_dtype(np.int32)  # as TensorFlow does it for arrays
    return made


def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """Return what is true in a mask of the same rows; rows stay rows.

    Example:
        >>> boolean_mask([[1, 2, 3], [4, 5, 6]], [[True, False, True], [False, False, True]])
        <tf.RaggedTensor [[1, 3], [6]]>
    """
    call = "ragged.boolean_mask()"
    mask_rows, mask_flat = with_rows(parts_of(mask), 0)
    if mask_flat.dtype != np.bool_:
        raise BuildTypeError(f"{call}: mask must be bool, got {mask_flat.dtype}.")
    depth = len(mask_rows) + mask_flat.ndim - 1
    mask_rows, mask_flat = with_rows((mask_rows, mask_flat), depth)
    rows, flat = with_rows(parts_of(data), depth)
    if depth:
        check_same_rows(rows[:depth], mask_rows)
    elif len(mask_flat) != (rows[0].count if rows else len(flat)):
        raise InvalidArgumentError(f"{call}: mask must be as long as data, got {len(mask_flat)}.")
    inner: Parts = taken((rows[depth:], flat), np.flatnonzero(mask_flat))
    if not depth:
        return as_tensor(RaggedTensor.of_parts(inner))
    counts = np.concatenate([[0], np.cumsum(mask_flat)])
    last = Rows(counts[mask_rows[-1].splits].astype(mask_rows[-1].splits.dtype))
    kept = [Rows(head.splits) for head in rows[: depth - 1]]
    return RaggedTensor.of_parts(([*kept, last, *inner[0]], inner[1]))


def range_(
    starts: Any,
    limits: Any = None,
    deltas: Any = 1,
    dtype: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = np.int64,
) -> RaggedTensor:
    """Return a row of numbers for each limit: from a start on, in steps.

    Example:
        >>> range_([0, 5], [3, 7]).to_list()
        [[0, 1, 2], [5, 6]]
    """
    if limits is None:
        starts, limits = 0, starts
    given = [array_of_data(as_plain(one)) for one in (starts, limits, deltas)]
    known = {
        one.dtype
        for one, raw in zip(given, (starts, limits, deltas), strict=True)
        if not isinstance(raw, (int, float, list, tuple))
    }
    kind = as_dtype(dtype).dtype if dtype is not None else np.result_type(*(known or given))
    first, last, step = np.broadcast_arrays(*(np.atleast_1d(one.astype(kind)) for one in given))
    if first.ndim > 1 or not step.all():
        raise BuildError("ragged.range(): give numbers or lists of them, and deltas other than 0.")
    if kind.kind == "f":
        lengths = np.ceil((last - first) / step)
    else:
        lengths = -((first.astype(np.int64) - last) // step)
    lengths = np.maximum(lengths, 0).astype(np.int64)
    places = runs(np.zeros_like(lengths), lengths).astype(kind)
    flat = np.repeat(first, lengths) + places * np.repeat(step, lengths)
    head = Rows.of_lengths(lengths, as_dtype(row_splits_dtype).dtype)
    return RaggedTensor(flat.astype(kind), head.splits)


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return ragged values with a function of their flat values in place of these.

    Example:
        >>> rows = RaggedTensor.from_row_lengths([1, 2, 3], [2, 1])
        >>> map_flat_values(lambda x: x * 10, rows).to_list()
        [[10, 20], [30]]
    """
    found: list[RaggedTensor] = []

    def flat_of(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)([flat_of(one) for one in value])
        if not isinstance(value, RaggedTensor):
            return value
        if found:
            check_same_rows(found[0].parts()[0], value.parts()[0])
        found.append(value)
        return value.flat_values

    flats = [flat_of(arg) for arg in args]
    named = {key: flat_of(arg) for key, arg in kwargs.items()}
    made = op(*flats, **named)
    if not found:
        return made
    values = array_of_data(as_plain(made))
    if len(values) != len(found[0].plain_flat_values):
        raise BuildError(
            "ragged.map_flat_values(): op must return as many values as it gets, "
            f"{len(found[0].plain_flat_values)}, got {len(values)}."
        )
    return found[0].with_flat_values(values)


def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Any:
    """Return the row that each item is in.

    Example:
        >>> row_splits_to_segment_ids([0, 3, 3, 5]).tolist()
        [0, 0, 0, 2, 2]
    """
    ids = Rows(ints_of(as_plain(splits))).ids
    return as_tensor(ids if out_type is None else ids.astype(as_dtype(out_type).dtype))


def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: int | None = None, out_type: Any = None, name: str | None = None
) -> Any:
    """Return where rows begin and end, given the row that each item is in.

    Example:
        >>> segment_ids_to_row_splits([0, 0, 0, 2, 2]).tolist()
        [0, 3, 3, 5]
    """
    splits = of_ids(ints_of(as_plain(segment_ids)), num_segments).splits
    return as_tensor(splits if out_type is None else splits.astype(as_dtype(out_type).dtype))
