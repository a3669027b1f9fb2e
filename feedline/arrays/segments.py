"""segments: numbers gathered by a key: sums by segment, counts, confusion matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import dtype_of, given, varying
from feedline.errors import BuildError, SpecError
from feedline.graph.operation import operation
from feedline.graph.rule import loops
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in

__all__ = [
    "bincount",
    "confusion_matrix",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
]


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return sums of the rows that have one segment id; the ids must be sorted.

    Example:
        >>> segment_sum([1, 2, 3], [0, 0, 1])
        array([3, 3], dtype=int32)
    """
    return _sorted_segments("sum", data, segment_ids)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return means of the rows that have one segment id; the ids must be sorted."""
    return _sorted_segments("mean", data, segment_ids)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return the largest of the rows that have one segment id; the ids must be sorted."""
    return _sorted_segments("max", data, segment_ids)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return the smallest of the rows that have one segment id; the ids must be sorted."""
    return _sorted_segments("min", data, segment_ids)


def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return products of the rows that have one segment id; the ids must be sorted."""
    return _sorted_segments("prod", data, segment_ids)


def unsorted_segment_sum(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Any:
    """Return sums of the rows that have one segment id; rows with a negative id are left out."""
    return _unsorted("sum", data, segment_ids, num_segments)


def unsorted_segment_mean(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Any:
    """Return means of the rows that have one segment id; 0 where there are none."""
    return _unsorted("mean", data, segment_ids, num_segments)


def unsorted_segment_max(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Any:
    """Return the largest of the rows that have one id; the lowest number where there are none."""
    return _unsorted("max", data, segment_ids, num_segments)


def unsorted_segment_min(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Any:
    """Return the smallest of the rows that have one id; the highest number where there are none."""
    return _unsorted("min", data, segment_ids, num_segments)


def unsorted_segment_prod(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Any:
    """Return products of the rows that have one segment id; 1 where there are none."""
    return _unsorted("prod", data, segment_ids, num_segments)


def unsorted_segment_sqrt_n(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Any:
    """Return sums divided by the square root of how many there are."""
    return _unsorted("sqrt_n", data, segment_ids, num_segments)


def _sorted_segments(how: str, data: Any, ids: Any) -> Any:
    return varying(_by_sorted_ids, [how, given(data), given(ids)], f"segment_{how}()")[0]


def _by_sorted_ids(how: str, data: Any, ids: Any) -> list[Any]:
    call = f"segment_{how}()"
    if np.ndim(ids) != 1 or len(ids) != len(data):
        raise BuildError(f"{call}: segment_ids must be one for each row of data.")
    if len(ids) and (np.any(np.diff(ids) < 0) or ids[0] < 0):
        raise SpecError(f"{call}: segment_ids must be sorted and not negative, got {ids}.")
    made = _segments(how, data, ids, int(ids[-1]) + 1 if len(ids) else 0)
    if how in ("max", "min"):
        # Where TensorFlow has no rows at all, it has a zero here.
        made[np.bincount(ids, minlength=len(made)) == 0] = 0
    return [made]


def _unsorted(how: str, data: Any, ids: Any, count: Any) -> Any:
    if isinstance(count, Symbol) and not count.is_constant:
        raise BuildError("unsorted_segment: num_segments must be known while recording.")
    return _by_ids(how, given(data), given(ids), int(count))


@operation
def _by_ids(how: str, data: Any, ids: Any, count: int) -> Any:
    ids = np.asarray(ids)
    if data.shape[: ids.ndim] != ids.shape:
        raise BuildError(
            f"unsorted_segment_{how}(): segment_ids {ids.shape} must fit the data {data.shape}."
        )
    if ids.size and ids.max() >= count:
        raise SpecError(f"unsorted_segment_{how}(): ids must be below {count}, got {ids.max()}.")
    rows = data.reshape(ids.size, *data.shape[ids.ndim :])
    flat = ids.reshape(-1)
    return _segments(how, rows[flat >= 0], flat[flat >= 0], count)


loops(_by_ids, fresh=True)


def _segments(how: str, data: Any, ids: Any, count: int) -> Any:
    shape, dtype = (count, *data.shape[1:]), data.dtype
    if how in ("max", "min"):
        made = np.full(shape, _limit(dtype, lowest=how == "max"), dtype)
        (np.maximum if how == "max" else np.minimum).at(made, ids, data)
        return made
    if how == "prod":
        made = np.ones(shape, dtype)
        np.multiply.at(made, ids, data)
        return made
    made = np.zeros(shape, dtype)
    np.add.at(made, ids, data)
    if how == "sum":
        return made
    rows = np.bincount(ids, minlength=count).reshape(count, *(1,) * (data.ndim - 1))
    rows = np.maximum(rows, 1)
    if how == "sqrt_n":
        return made / np.sqrt(rows).astype(dtype)
    return made // rows.astype(dtype) if dtype.kind in "iu" else made / rows.astype(dtype)


def _limit(dtype: np.dtype[Any], *, lowest: bool) -> Any:
    limits: Any = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
    return limits.min if lowest else limits.max


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = np.int32,
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Any:
    """Return how often each number from 0 on occurs.

    Args:
        arr: Integers that are not negative.
        weights: What each counts for; the result has its dtype.
        minlength: How long the result is at least.
        maxlength: How long it is at most: larger numbers are left out.
        dtype: That of counts.
        name: No effect.
        axis: Must be None or 0: everything is counted together.
        binary_output: Whether to say only that a number occurs.

    Example:
        >>> bincount([1, 1, 3])
        array([0, 2, 0, 1], dtype=int32)
    """
    if axis not in (None, 0):
        raise BuildError(f"bincount(): axis must be None or 0, got {axis!r}.")
    settings = (minlength, maxlength, dtype_of(dtype), binary_output)
    given_weights = None if weights is None else given(weights)
    if symbols_in([arr, weights]):
        return varying(_counted, [given(arr), given_weights, *settings], "bincount()")[0]
    return _counted(given(arr), given_weights, *settings)[0]


def _counted(
    array: Any, weights: Any, shortest: Any, longest: Any, dtype: Any, binary: Any
) -> list[Any]:
    flat = np.asarray(array).reshape(-1)
    if flat.size and flat.min() < 0:
        raise SpecError("bincount(): numbers must not be negative.")
    count = int(flat.max()) + 1 if flat.size else 0
    count = max(count, 0 if shortest is None else int(shortest))
    count = count if longest is None else min(count, int(longest))
    kept = flat < count
    if weights is None:
        made = np.bincount(flat[kept], minlength=count).astype(dtype)
        return [np.minimum(made, 1).astype(dtype) if binary else made]
    made = np.zeros(count, weights.dtype)
    np.add.at(made, flat[kept], np.asarray(weights).reshape(-1)[kept])
    return [made]


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = np.int32,
    name: str | None = None,
) -> Any:
    """Return how often each label was predicted as each class."""
    parts = [given(labels), given(predictions), num_classes]
    extra = [None if weights is None else given(weights), dtype_of(dtype)]
    if num_classes is None and symbols_in(parts):
        return varying(lambda *args: [_confusion(*args)], [*parts, *extra], "confusion_matrix()")[0]
    return _confusion(*parts, *extra)


@operation
def _confusion(labels: Any, predictions: Any, count: Any, weights: Any, dtype: Any) -> Any:
    rows, columns = np.asarray(labels).reshape(-1), np.asarray(predictions).reshape(-1)
    if count is None:
        count = int(max(rows.max(initial=-1), columns.max(initial=-1))) + 1
    bad = rows.size and (
        min(rows.min(), columns.min()) < 0 or max(rows.max(), columns.max()) >= count
    )
    if bad:
        raise SpecError(f"confusion_matrix(): classes must be from 0 to {int(count) - 1}.")
    made = np.zeros((int(count), int(count)), dtype)
    np.add.at(
        made, (rows, columns), 1 if weights is None else np.asarray(weights, dtype).reshape(-1)
    )
    return made


loops(_confusion, fresh=True)
