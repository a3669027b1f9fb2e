"""reduce_joining: strings joined along axes."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Dense, Objects, Ragged, column_of
from feedline.errors import BuildError
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf_spec import string
from feedline.ragged import RaggedTensor
from feedline.strings.joining import joined, nothing_like
from feedline.strings.lifted import check_constant, column_of_rows, form_of, spec_of_form
from feedline.strings.texts import Text, array_of_texts, is_text, strings_given, text_argument

__all__ = ["reduce_join"]

_CALL = "strings.reduce_join()"


def _spec(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: Any = "",
    name: str | None = None,
) -> Any:
    shape, ragged = form_of(inputs)
    if shape is None or ragged:
        raise NotImplementedError
    axes = _axes(axis, len(shape))
    kept = tuple(
        1 if place in axes else size
        for place, size in enumerate(shape)
        if keepdims or place not in axes
    )
    return spec_of_form((kept, 0), string)


def _columns(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: Any = "",
    name: str | None = None,
) -> Sequence[Column]:
    check_constant((axis, keepdims, separator), {})
    column = column_of_rows(inputs)
    rows = column.rows()
    flat = (
        isinstance(column, (Dense, Ragged)) and not keepdims and {row.ndim for row in rows} == {1}
    )
    if not flat or _axes(axis, 1) != [0]:
        return [column_of([reduce_join(row, axis, keepdims, separator) for row in rows])]
    sep = text_argument(_CALL, "separator", separator)
    return [Objects([joined(row.tolist(), sep) for row in rows])]


@leaf_operation(spec=_spec, columns=_columns)
def reduce_join(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: Any = "",
    name: str | None = None,
) -> Any:
    """Return the strings along one or several axes joined.

    Args:
        inputs: Strings.
        axis: Which axes; None is all of them, from the last to the first. Of several, the
            one named first is joined first.
        keepdims: Whether joined axes stay, with a length of 1.
        separator: What stands between strings.
        name: Has no effect.

    Example:
        >>> reduce_join([["a", "b"], ["c", "d"]], axis=1, separator="-").tolist()
        ['a-b', 'c-d']
    """
    sep = text_argument(_CALL, "separator", separator)
    value = strings_given(_CALL, inputs, "inputs")
    if isinstance(value, RaggedTensor):
        return _ragged(value, axis, keepdims, sep)
    array = array_of_texts([value]).reshape(()) if is_text(value) else value
    axes = _axes(axis, array.ndim)
    result = _dense(array, axes, sep)
    if keepdims:
        return result.reshape([1 if i in axes else n for i, n in enumerate(array.shape)])
    return result if result.ndim else result.item()


def _axes(axis: Any, rank: int) -> list[int]:
    if axis is None:
        return list(range(rank - 1, -1, -1))
    given = [axis] if not np.ndim(axis) else list(axis)
    axes = []
    for one in map(operator.index, given):
        if not -rank <= one < rank:
            raise BuildError(
                f"{_CALL}: axis must be from {-rank} to {rank - 1} for inputs with {rank} "
                f"axes, got {one}."
            )
        axes.append(one % rank)
    if len(set(axes)) < len(axes):
        raise BuildError(f"{_CALL}: axis must name every axis once, got {axis}.")
    return axes


def _dense(array: NDArray[Any], axes: list[int], sep: Text, nothing: Text = b"") -> NDArray[Any]:
    kept = [place for place in range(array.ndim) if place not in axes]
    shape = [array.shape[place] for place in kept]
    # The axis that is named first is joined first, which makes it the innermost.
    moved = array.transpose(kept + axes[::-1])
    count = int(np.prod([array.shape[place] for place in axes]))
    rows = moved.reshape(int(np.prod(shape)), count).tolist()
    return array_of_texts([joined(row, sep, nothing) for row in rows]).reshape(shape)


def _ragged(value: RaggedTensor, axis: Any, keepdims: bool, sep: Text) -> Any:
    rank = value.ragged_rank + value.plain_flat_values.ndim
    if axis is None:
        if keepdims:
            raise BuildError(f"{_CALL}: keepdims of a RaggedTensor needs an axis.")
        return joined(value.plain_flat_values.ravel().tolist(), sep)
    result: Any = value
    for one in sorted(_axes(axis, rank), reverse=True):
        result = _along(result, one, sep)
        if keepdims:
            if isinstance(result, RaggedTensor):
                raise BuildError(f"{_CALL}: keepdims of inner axes of a RaggedTensor is not there.")
            result = np.expand_dims(result, one)
    return result if np.ndim(result) or isinstance(result, RaggedTensor) else result.item()


def _along(value: Any, axis: int, sep: Text) -> Any:
    if isinstance(value, np.ndarray):
        return _dense(value, [axis], sep)
    inner = value.plain_values
    if axis > 1:
        return RaggedTensor(_along(inner, axis - 1, sep), value.plain_splits)
    if isinstance(inner, RaggedTensor):
        raise BuildError(
            f"{_CALL}: axis {axis} of a RaggedTensor whose rows are ragged themselves is not "
            "there. Join its inner axes first."
        )
    if axis == 1:
        nothing = nothing_like(inner.ravel().tolist())
        made = [_dense(row, [0], sep, nothing) for row in value]
        return np.stack(made) if made else np.empty((0, *inner.shape[1:]), object)
    if inner.ndim > 1:
        raise BuildError(f"{_CALL}: axis 0 of a RaggedTensor with inner axes is not there.")
    longest = int(value.row_lengths().max(initial=0))
    columns: list[list[Any]] = [[] for _ in range(longest)]
    for row in value:
        for column, text in zip(columns, row.tolist(), strict=False):
            column.append(text)
    return array_of_texts([joined(column, sep) for column in columns])
