"""expanding: functions that make a row of several values out of every string."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Objects, Ragged, column_of
from feedline.ragged import RaggedTensor
from feedline.strings.lifted import check_constant, column_of_rows, form_of, with_axis
from feedline.strings.texts import column_parts, is_text, parts_of, strings_given

__all__ = ["Expanded", "expanded", "expanding_rule", "spec_of_rows"]

Expanded = tuple[Sequence[NDArray[Any]], NDArray[np.int64]]
"""The values of all rows one after the other, once for each result; and how long rows are."""


def expanded(call: str, each: Callable[..., Expanded], value: Any, *args: Any) -> list[Any]:
    """Return one value for each result: its rows stand where the strings stood."""
    given = strings_given(call, value)
    flats, lengths = each(parts_of(given)[0], *args)
    return [_rows_in(given, flat, lengths) for flat in flats]


def _rows_in(value: Any, flat: NDArray[Any], lengths: NDArray[np.int64]) -> Any:
    if is_text(value):
        return flat
    dense = value.plain_flat_values if isinstance(value, RaggedTensor) else value
    rows = RaggedTensor(flat, _splits(lengths))
    shape = dense.shape
    for axis in range(len(shape) - 1, 0, -1):
        count = int(np.prod(shape[:axis]))
        rows = RaggedTensor(rows, np.arange(count + 1) * shape[axis])
    if isinstance(value, RaggedTensor):
        for splits in reversed(value.plain_nested_splits):
            rows = RaggedTensor(rows, splits)
    return rows


def expanding_rule(each: Callable[..., Expanded]) -> Callable[..., Sequence[Column]]:
    """Return the rule for columns."""

    def columns(input: Any, *args: Any, **kwargs: Any) -> Sequence[Column]:
        check_constant(args, kwargs)
        kwargs.pop("name", None)
        items, _ = column_parts(input)
        flats, lengths = each(items, *args, **kwargs)
        if _holds_single_strings(input):
            return [Ragged(flat, _splits(lengths)) for flat in flats]
        rows = column_of_rows(input).rows()
        return [column_of(_cut(rows, flat, lengths)) for flat in flats]

    return columns


def _holds_single_strings(column: Any) -> bool:
    if isinstance(column, Objects):
        return set(map(type, column.items)) <= {str, bytes}
    return isinstance(column, Bytes)


def _cut(values: list[Any], flat: NDArray[Any], lengths: NDArray[np.int64]) -> list[Any]:
    """Return the results of each element out of those of all."""
    bounds = _splits(lengths)
    made, first = [], 0
    for value in values:
        last = first + len(parts_of(value)[0])
        part = flat[bounds[first] : bounds[last]]
        made.append(_rows_in(value, part, lengths[first:last]))
        first = last
    return made


def _splits(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    splits = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=splits[1:])
    return splits


def spec_of_rows(*dtypes: Any) -> Callable[..., Any]:
    """Return the spec function for results of these dtypes; a tuple if there are several."""

    def spec(input: Any, *_args: Any, **_kwargs: Any) -> Any:
        specs = tuple(with_axis(form_of(input), dtype) for dtype in dtypes)
        return specs if len(specs) > 1 else specs[0]

    return spec
