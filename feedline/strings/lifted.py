"""lifted: functions on flat lists of strings become functions on values, and rules for columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from feedline.column import Bytes, Column, Dense, Objects, column_of
from feedline.graph.opaque import Opaque
from feedline.graph.rows import Rows
from feedline.graph.symbol import Symbol
from feedline.leaf import as_leaf
from feedline.ragged import RaggedTensor
from feedline.shapes import Shape, merge_shapes
from feedline.spec import RaggedTensorSpec, TensorSpec, string
from feedline.strings.texts import column_parts, parts_of, strings_given

__all__ = [
    "check_constant",
    "column_of_rows",
    "each_of",
    "form_of",
    "rowwise",
    "rule_for",
    "spec_like",
    "spec_of_form",
    "with_axis",
]

Each = Callable[..., Any]


def each_of(call: str, each: Each, value: Any, *args: Any) -> Any:
    """Return a value with ``each(its strings, *args)`` in the places of its strings."""
    items, put = parts_of(strings_given(call, value))
    return put(each(items, *args))


def rule_for(
    each: Each, in_buffer: Callable[..., Column | None] | None = None
) -> Callable[..., Sequence[Column]]:
    """Return the rule for columns of a function that changes strings one by one.

    Args:
        each: Gets the strings of a whole column as one list, then the function's arguments.
        in_buffer: Does the same to byte strings in one buffer without an object for each;
            None where it cannot.
    """

    def columns(input: Any, *args: Any, **kwargs: Any) -> Sequence[Column]:
        check_constant(args, kwargs)
        kwargs.pop("name", None)
        if in_buffer is not None and isinstance(input, Bytes):
            made = in_buffer(input, *args, **kwargs)
            if made is not None:
                return [made]
        items, put = column_parts(input)
        return [put(each(items, *args, **kwargs))]

    return columns


def rowwise(function: Callable[..., Any]) -> Callable[..., Sequence[Column]]:
    """Return the rule of a function that gains nothing from many elements at once.

    It lets what comes before and after run on whole blocks, and the spec be known.
    """

    def columns(input: Any, *args: Any, **kwargs: Any) -> Sequence[Column]:
        check_constant(args, kwargs)
        rows = column_of_rows(input).rows()
        return [column_of([function(row, *args, **kwargs) for row in rows])]

    return columns


def check_constant(args: Any, kwargs: dict[str, Any]) -> None:
    """Leave a call to plain Python if another argument differs between elements too."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, (Column, Rows)):
            raise NotImplementedError


def column_of_rows(column: Any) -> Column:
    """Return what a rule got for one argument as a column."""
    if isinstance(column, Column):
        return column
    if isinstance(column, Rows):
        array = column.array
        return Dense(array) if array.ndim > 1 else Objects(array.tolist())
    raise NotImplementedError


# ---- specs -----------------------------------------------------------------------


def form_of(value: Any) -> tuple[tuple[int | None, ...] | None, int]:
    """Return the shape of an argument, recorded or not, and how many of its axes are ragged."""
    if isinstance(value, Symbol):
        return value.shape, 0
    if not isinstance(value, Opaque):
        return _form_of_leaf(as_leaf(list(value) if isinstance(value, tuple) else value))
    declared = value.trace.specs.get(value.number)
    if declared is not None:
        return declared.shape, getattr(declared, "ragged_rank", 0)
    forms = [_form_of_leaf(sample) for sample in value.samples]
    shape: Shape = forms[0][0]
    for other, _ in forms[1:]:
        shape = merge_shapes(shape, other)
    return shape, max(ragged for _, ragged in forms)


def _form_of_leaf(leaf: Any) -> tuple[tuple[int | None, ...], int]:
    if isinstance(leaf, RaggedTensor):
        return leaf.shape, leaf.ragged_rank
    return np.shape(leaf), 0


def with_axis(form: tuple[Any, int], dtype: Any) -> Any:
    """Return the spec of a value whose items became rows of different lengths."""
    shape, ragged = form
    if shape == ():
        return TensorSpec((None,), dtype)
    inner = None if shape is None else (*shape, None)
    return RaggedTensorSpec(inner, dtype, max(ragged + 1, len(shape or (0,))))


def spec_of_form(form: tuple[Any, int], dtype: Any) -> Any:
    """Return the spec of a value of a form."""
    shape, ragged = form
    return RaggedTensorSpec(shape, dtype, ragged) if ragged else TensorSpec(shape, dtype)


def spec_like(dtype: Any = string) -> Callable[..., Any]:
    """Return the spec function of one whose results have the form of its input."""

    def spec(input: Any, *_args: Any, **_kwargs: Any) -> Any:
        return spec_of_form(form_of(input), dtype)

    return spec
