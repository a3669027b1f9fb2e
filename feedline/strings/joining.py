"""joining: several strings as one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Objects, Ragged
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf import as_leaf, describe_leaf
from feedline.leaf_spec import string
from feedline.ragged import RaggedTensor
from feedline.strings.lifted import form_of, spec_of_form
from feedline.strings.texts import (
    Text,
    array_of_texts,
    as_text_like,
    column_parts,
    is_text,
    parts_of,
    same_kind,
    strings_given,
    text_argument,
)

__all__ = ["join", "joined", "nothing_like", "unsorted_segment_join"]


def joined(parts: Sequence[Any], separator: Text, nothing: Text = b"") -> Any:
    """Return strings as one: bytes if one of them is; ``nothing`` if there is none."""
    if not parts:
        return nothing
    alike = same_kind(parts)
    return as_text_like(separator, alike[0]).join(alike)


def nothing_like(texts: Sequence[Any]) -> Any:
    """Return the empty string that goes with others: a str if all of them are."""
    return "" if texts and all(isinstance(text, str) for text in texts) else b""


# ---- join ------------------------------------------------------------------------


def _join_columns(inputs: Any, separator: Any = "", name: str | None = None) -> Sequence[Column]:
    sep = text_argument("strings.join()", "separator", separator)
    varying = [one for one in inputs if not is_text(one)]
    parts = [column_parts(one) for one in varying]
    for other in varying[1:]:
        if not _same_layout(varying[0], other):
            raise NotImplementedError
    lists = iter(items for items, _ in parts)
    aligned: list[Any] = [repeat(one) if is_text(one) else next(lists) for one in inputs]
    kinds = {type(text) for items, _ in parts for text in items}
    kinds |= {type(one) for one in inputs if is_text(one)}
    rows = zip(*aligned, strict=False)
    if kinds in ({str}, {bytes}):
        glue = as_text_like(sep, kinds.pop()())
        results = list(map(glue.join, rows))
    else:
        results = [joined(row, sep) for row in rows]
    return [parts[0][1](results)]


def _same_layout(first: Any, second: Any) -> bool:
    """Whether the strings of two columns stand at the same places of the same elements."""
    if isinstance(first, Objects) and isinstance(second, Objects):
        # Arrays have a shape, a single string has none; ragged rows are left to plain Python.
        shapes = [[getattr(item, "shape", ()) for item in one.items] for one in (first, second)]
        ragged = any(isinstance(item, RaggedTensor) for item in (*first.items, *second.items))
        return shapes[0] == shapes[1] and not ragged
    if isinstance(first, Objects) or isinstance(second, Objects):
        single = first if isinstance(first, Objects) else second
        other = second if single is first else first
        return isinstance(other, Bytes) and all(map(is_text, single.items))
    if isinstance(first, Bytes):
        return isinstance(second, Bytes)
    if isinstance(first, Ragged):
        return isinstance(second, Ragged) and np.array_equal(first.lengths, second.lengths)
    return bool(first.array.shape == getattr(second, "array", np.empty(0)).shape)


def _spec_of_join(inputs: Any, separator: Any = "", name: str | None = None) -> Any:
    if not isinstance(inputs, (list, tuple)):
        raise NotImplementedError
    forms = [form_of(one) for one in inputs]
    shaped = [form for form in forms if form[0] != ()]
    return spec_of_form(shaped[0] if shaped else ((), 0), string)


@leaf_operation(spec=_spec_of_join, columns=_join_columns)
def join(inputs: Any, separator: Any = "", name: str | None = None) -> Any:
    """Return strings joined with those at the same place in the other inputs.

    Args:
        inputs: Several strings, arrays of one shape, or RaggedTensors with the same rows.
            Single strings go to every place of the others.
        separator: What stands between them.
        name: Has no effect.

    Example:
        >>> join([["a", "b"], "x", ["c", "d"]], separator="-").tolist()
        ['a-x-c', 'b-x-d']
    """
    sep = text_argument("strings.join()", "separator", separator)
    if isinstance(inputs, (str, bytes)):
        raise BuildTypeError(f"strings.join(): inputs must be a list of strings, got {inputs!r}.")
    values = [strings_given("strings.join()", one, "every input") for one in inputs]
    shaped = [value for value in values if not is_text(value)]
    if not shaped:
        return joined(values, sep) if values else ""
    for other in shaped[1:]:
        _check_same_places(shaped[0], other)
    lists = [repeat(value) if is_text(value) else parts_of(value)[0] for value in values]
    count = len(parts_of(shaped[0])[0])
    results = [joined(parts, sep) for _, *parts in zip(range(count), *lists, strict=False)]
    return parts_of(shaped[0])[1](results)


def _check_same_places(first: Any, second: Any) -> None:
    same = first.shape == second.shape and type(first) is type(second)
    if same and isinstance(first, RaggedTensor):
        same = len(first.plain_nested_splits) == len(second.plain_nested_splits) and all(
            map(np.array_equal, first.plain_nested_splits, second.plain_nested_splits)
        )
    if not same:
        raise BuildError(
            "strings.join(): inputs that are not single strings must have the same shape, got "
            f"{describe_leaf(first)} and {describe_leaf(second)}."
        )


# ---- unsorted_segment_join -------------------------------------------------------


def _spec_of_segments(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: Any = "", name: Any = None
) -> Any:
    shape, _ = form_of(inputs)
    ids, _ = form_of(segment_ids)
    rest = None if shape is None or ids is None else (None, *shape[len(ids) :])
    return spec_of_form((rest, 0), string)


@leaf_operation(spec=_spec_of_segments)
def unsorted_segment_join(
    inputs: Any,
    segment_ids: Any,
    num_segments: Any,
    separator: Any = "",
    name: str | None = None,
) -> Any:
    """Return strings joined by the segments they belong to.

    Args:
        inputs: Strings.
        segment_ids: The segment of each, in the shape of the first axes of ``inputs``.
        num_segments: How many segments there are; one without strings is an empty string.
        separator: What stands between strings.
        name: Has no effect.

    Example:
        >>> unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2, separator="-").tolist()
        ['a-c', 'b']
    """
    call = "strings.unsorted_segment_join()"
    sep = text_argument(call, "separator", separator)
    values = np.asarray(strings_given(call, inputs, "inputs"), object)
    ids = np.asarray(as_leaf(segment_ids))
    count = int(num_segments)
    if ids.dtype.kind not in "iu" and ids.size:
        raise BuildTypeError(f"{call}: segment_ids must be integers, got {ids.dtype}.")
    if not ids.ndim or ids.shape != values.shape[: ids.ndim]:
        raise BuildError(
            f"{call}: segment_ids must have the shape of the first axes of inputs, "
            f"{list(values.shape)}, got {list(ids.shape)}."
        )
    if ids.size and not (ids.min() >= 0 and ids.max() < count):
        raise BuildError(
            f"{call}: segment_ids must be from 0 to num_segments - 1 = {count - 1}, "
            f"got {ids.min()} to {ids.max()}."
        )
    return _by_segment(values, ids, count, sep)


def _by_segment(values: NDArray[Any], ids: NDArray[Any], count: int, sep: Text) -> NDArray[Any]:
    rest = values.shape[ids.ndim :]
    width = int(np.prod(rest))
    rows = values.reshape(ids.size, width).tolist()
    cells: list[list[Any]] = [[] for _ in range(count * width)]
    for segment, row in zip(ids.ravel().tolist(), rows, strict=True):
        for place, text in enumerate(row):
            cells[segment * width + place].append(text)
    nothing = nothing_like(values.ravel().tolist())
    results = [joined(cell, sep, nothing) for cell in cells]
    return array_of_texts(results).reshape(count, *rest)
