"""ngram: neighbouring strings joined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column
from feedline.errors import BuildError, BuildTypeError, check_at_least
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf_spec import string
from feedline.ragged.tensor import RaggedTensor, stack_rows
from feedline.strings.joining import joined
from feedline.strings.lifted import form_of, rowwise, spec_of_form
from feedline.strings.texts import Text, array_of_texts, is_text, strings_given, text_argument

__all__ = ["ngrams"]

_CALL = "strings.ngrams()"


def _spec(data: Any, *_args: Any, **_kwargs: Any) -> Any:
    shape, ragged = form_of(data)
    return spec_of_form((None if shape is None else (*shape[:-1], None), ragged), string)


def _columns(data: Any, *args: Any, **kwargs: Any) -> Sequence[Column]:
    return rowwise(ngrams)(data, *args, **kwargs)


@leaf_operation(spec=_spec, columns=_columns)
def ngrams(
    data: Any,
    ngram_width: Any,
    separator: Any = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:
    """Return every run of ``ngram_width`` neighbours along the last axis, joined.

    Args:
        data: Strings: an array, or a RaggedTensor.
        ngram_width: How many neighbours; several numbers give the runs of each, one after
            the other.
        separator: What stands between them.
        pad_values: What to put before and behind every row: one string, or two.
        padding_width: How many of them at most; as many as there can be in a run by default.
        preserve_short_sequences: Whether a row that has no run gives one of all it has.
        name: Has no effect.

    Example:
        >>> ngrams(["a", "b", "c"], 2).tolist()
        ['a b', 'b c']
    """
    values = strings_given(_CALL, data, "data")
    if is_text(values):
        raise BuildError(f"{_CALL}: data must have an axis to go along, got one string.")
    made = _Ngrams(
        _widths(ngram_width),
        text_argument(_CALL, "separator", separator),
        _pads(pad_values, padding_width),
        padding_width,
        preserve_short_sequences,
    )
    if isinstance(values, RaggedTensor):
        return _of_ragged(values, made)
    return _of_dense(values, made)


def _of_dense(values: NDArray[Any], made: _Ngrams) -> NDArray[Any]:
    *outer, length = values.shape
    rows = values.reshape(math.prod(outer), length).tolist()
    texts = [text for row in rows for text in made.of(row)]
    # All rows are equally long, so they have equally many runs; also if there is no row.
    return array_of_texts(texts).reshape(*outer, len(made.of([b""] * length)))


def _of_ragged(values: RaggedTensor, made: _Ngrams) -> Any:
    inner = values.plain_values
    if isinstance(inner, RaggedTensor):
        return RaggedTensor(_of_ragged(inner, made), values.plain_splits)
    if inner.ndim > 1:
        return RaggedTensor(_of_dense(inner, made), values.plain_splits)
    if not len(values):
        return values
    return stack_rows([array_of_texts(made.of(row.tolist())) for row in values])


class _Ngrams:
    """What is made of one row."""

    def __init__(
        self,
        widths: list[int],
        separator: Text,
        pads: tuple[Text, Text] | None,
        padding_width: int | None,
        keeps_short: bool,
    ) -> None:
        self._widths = widths
        self._separator = separator
        self._pads = pads
        self._padding_width = padding_width
        self._keeps_short = keeps_short

    def of(self, row: list[Any]) -> list[Any]:
        """Return the runs of all widths."""
        made = [run for width in self._widths for run in self._runs(row, width)]
        if made or not row or not self._keeps_short or not self._widths:
            return made
        # As TensorFlow does: one run with the padding of the first width.
        return [joined(self._padded(row, self._widths[0]), self._separator)]

    def _runs(self, row: list[Any], width: int) -> list[Any]:
        padded = self._padded(row, width)
        starts = range(len(padded) - width + 1)
        return [joined(padded[start : start + width], self._separator) for start in starts]

    def _padded(self, row: list[Any], width: int) -> list[Any]:
        if self._pads is None:
            return row
        count = width - 1
        if self._padding_width is not None:
            count = min(count, self._padding_width)
        left, right = self._pads
        return [left] * count + row + [right] * count


def _widths(ngram_width: Any) -> list[int]:
    given = list(ngram_width) if np.ndim(ngram_width) else [ngram_width]
    return [check_at_least(_CALL, "ngram_width", width, 1) for width in given]


def _pads(pad_values: Any, padding_width: int | None) -> tuple[Text, Text] | None:
    if padding_width is not None:
        check_at_least(_CALL, "padding_width", padding_width, 1)
        if pad_values is None:
            raise BuildError(f"{_CALL}: padding_width needs pad_values, got None.")
    if pad_values is None:
        return None
    both = [pad_values] * 2 if isinstance(pad_values, (str, bytes)) else list(pad_values)
    if len(both) != 2 or not all(map(is_text, both)):
        raise BuildTypeError(
            f"{_CALL}: pad_values must be one string or two of them, got {pad_values!r}."
        )
    return both[0], both[1]
