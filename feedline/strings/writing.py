"""writing: numbers as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from feedline.column import Column, Dense, Objects, Ragged
from feedline.errors import BuildError, BuildTypeError, check_integer
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.rows import Rows
from feedline.leaf import describe_leaf, ingest
from feedline.ragged import RaggedTensor
from feedline.strings.lifted import check_constant, column_of_rows, spec_like
from feedline.strings.texts import array_of_texts, parts_of, strings_given

__all__ = ["as_string"]

_CALL = "strings.as_string()"
_FILLS = ("", " ", "+", "-", "0", "#")


class _Style:
    """How one number of a dtype is written."""

    def __init__(
        self, precision: Any, scientific: bool, shortest: bool, width: Any, fill: Any
    ) -> None:
        self.precision = check_integer(_CALL, "precision", precision)
        self.width = check_integer(_CALL, "width", width)
        self.fill = fill.decode() if isinstance(fill, bytes) else str(fill)
        self.scientific = bool(scientific)
        self.shortest = bool(shortest)
        if self.fill not in _FILLS:
            known = ", ".join(map(repr, _FILLS))
            raise BuildError(f"{_CALL}: fill must be one of {known}, got {fill!r}.")
        if scientific and shortest:
            raise BuildError(f"{_CALL}: scientific and shortest must not both be True.")

    def writer(self, dtype: np.dtype[Any]) -> Callable[[list[Any]], list[str]]:
        """Return what writes a list of Python numbers of a dtype."""
        kind = dtype.kind
        if kind in "biu":
            self._check_float_only(dtype)
        if kind == "b":
            return lambda values: ["true" if value else "false" for value in values]
        if kind == "i":
            return self._by_format("%" + self._frame() + "d")
        if kind == "u":
            # C has no sign to show for numbers without one.
            return self._by_format("%" + self._frame().lstrip("+ ") + "d")
        one = self._float
        if kind == "f":
            return lambda values: list(map(one, values))
        if kind == "c":
            return lambda values: [f"({one(v.real)},{one(v.imag)})" for v in values]
        raise BuildTypeError(f"{_CALL}: input must be numbers or strings, got {dtype}.")

    def strings(self, texts: list[Any]) -> list[Any]:
        """Return strings cut and filled up as C does it, in bytes."""
        if self.width <= 0 and self.precision <= 0:
            return texts
        made = []
        for text in texts:
            raw = text.encode() if isinstance(text, str) else text
            raw = raw[: self.precision] if self.precision > 0 else raw
            raw = raw.ljust(self.width) if self.fill == "-" else raw.rjust(self.width)
            made.append(raw.decode("utf-8") if isinstance(text, str) else raw)
        return made

    def _check_float_only(self, dtype: np.dtype[Any]) -> None:
        if self.precision >= 0 or self.scientific or self.shortest:
            raise BuildError(
                f"{_CALL}: precision, scientific and shortest are for floats, got {dtype}."
            )

    def _frame(self) -> str:
        return self.fill + (str(self.width) if self.width > 0 else "")

    def _by_format(self, text: str) -> Callable[[list[Any]], list[str]]:
        return lambda values: list(map(text.__mod__, values))

    def _float(self, value: float) -> str:
        letter = "e" if self.scientific else "g" if self.shortest else "f"
        digits = f".{self.precision}" if self.precision >= 0 else ""
        if value - value == 0:
            return f"%{self._frame()}{digits}{letter}" % value
        # Zeros before inf and nan are Python's, not C's.
        frame = self._frame().lstrip("0") if self.fill == "0" else self._frame()
        return f"%{frame}{letter}" % value


def _columns(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Sequence[Column]:
    check_constant((precision, scientific, shortest, width, fill), {})
    style = _Style(precision, scientific, shortest, width, fill)
    if isinstance(input, Rows):
        array = input.array
        if array.dtype == object:
            return [
                Dense(array_of_texts(style.strings(array.ravel().tolist())).reshape(array.shape))
            ]
        texts = style.writer(array.dtype)(array.ravel().tolist())
        if array.ndim == 1:
            return [Objects(texts)]
        return [Dense(array_of_texts(texts).reshape(array.shape))]
    column = column_of_rows(input)
    if isinstance(column, Ragged) and column.values.dtype != object:
        values = column.values
        texts = style.writer(values.dtype)(values.ravel().tolist())
        return [Ragged(array_of_texts(texts).reshape(values.shape), column.splits)]
    raise NotImplementedError


@leaf_operation(spec=spec_like(), columns=_columns)
def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Any:
    """Return numbers as text, a ``str`` for each.

    Args:
        input: Numbers or bools of any shape; strings are only filled up.
        precision: How many digits after the point, 6 if negative; for floats alone.
        scientific: Whether floats are written with an exponent.
        shortest: Whether floats are written in whichever way is shorter, as by C's %g.
        width: How long a text is at least.
        fill: "0" fills up with zeros, "-" with spaces behind; " ", "+" and "#" are flags of
            C's printf.
        name: Has no effect.

    Example:
        >>> as_string([3.14159, 2.5], precision=2).tolist()
        ['3.14', '2.50']
        >>> as_string(7, width=3, fill="0")
        '007'
    """
    style = _Style(precision, scientific, shortest, width, fill)
    leaf = input if isinstance(input, RaggedTensor) else ingest(input)
    dtype = getattr(leaf, "dtype", np.dtype(object))
    if dtype == object:
        items, put = parts_of(strings_given(_CALL, leaf))
        return put(style.strings(items))
    if dtype.kind not in "biufc":
        raise BuildTypeError(
            f"{_CALL}: input must be numbers or strings, got {describe_leaf(leaf)}."
        )
    values = leaf.plain_flat_values if isinstance(leaf, RaggedTensor) else np.asarray(leaf)
    texts = style.writer(dtype)(values.ravel().tolist())
    if isinstance(leaf, RaggedTensor):
        return parts_of(leaf)[1](texts)
    return array_of_texts(texts).reshape(values.shape) if values.ndim else texts[0]
