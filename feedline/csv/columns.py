"""columns: fields of many records as columns of numbers and strings."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense, Objects
from feedline.csv.format import CsvColumn
from feedline.kernels.parse_numbers import parse_numbers
from feedline.kernels.ragged_take import ragged_take
from feedline.kernels.split_csv import ESCAPED, CsvFields
from feedline.spec import string

__all__ = ["Fields", "field_failure", "typed_column"]


@dataclass(frozen=True, slots=True)
class Fields:
    """Where the texts of fields are, pairs of quotes inside them made one."""

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]

    @staticmethod
    def of(data: bytes, found: CsvFields) -> Fields:
        """Return the fields that were found in ``data``.

        Those with quotes inside are written anew, behind all others.
        """
        escaped = np.flatnonzero(found.kinds == ESCAPED)
        if not len(escaped):
            return Fields(np.frombuffer(data, np.uint8), found.starts, found.stops)
        starts, stops = found.starts.copy(), found.stops.copy()
        texts = [
            data[start:stop].replace(b'""', b'"')
            for start, stop in zip(starts[escaped].tolist(), stops[escaped].tolist(), strict=True)
        ]
        ends = len(data) + np.cumsum([len(text) for text in texts], dtype=np.int64)
        stops[escaped] = ends
        starts[escaped] = np.concatenate([[len(data)], ends[:-1]])
        return Fields(np.frombuffer(b"".join([data, *texts]), np.uint8), starts, stops)

    def take(self, index: NDArray[np.int64]) -> Fields:
        """Return some of the fields."""
        return Fields(self.data, self.starts[index], self.stops[index])

    def text(self, number: int) -> bytes:
        """Return the text of one field."""
        return self.data[self.starts[number] : self.stops[number]].tobytes()

    def missing(self, na_value: bytes) -> NDArray[np.bool_]:
        """Return which fields are empty, or say that they are missing."""
        lengths = self.stops - self.starts
        found: NDArray[np.bool_] = lengths == 0
        if na_value:
            same = np.flatnonzero(lengths == len(na_value))
            places = self.starts[same][:, None] + np.arange(len(na_value))
            found[same[np.all(self.data[places] == np.frombuffer(na_value, np.uint8), axis=1)]] = (
                True
            )
        return found


def typed_column(
    fields: Fields, column: CsvColumn, na_value: bytes, encoding: str | None
) -> tuple[Column, NDArray[np.bool_]]:
    """Return the values of one column, and which of them are good.

    Args:
        fields: One field per value.
        column: The dtype, and what stands for a field that is missing.
        na_value: The text of a field that is missing, besides an empty one.
        encoding: Of strings; None for bytes.
    """
    missing = fields.missing(na_value)
    if column.dtype == string:
        return _strings(fields, column, missing, encoding)
    values, good = parse_numbers(fields.data, fields.starts, fields.stops, column.dtype)
    if missing.any():
        if column.default is not None:
            values[missing] = column.default
        good = good & ~missing if column.default is None else good | missing
    return Dense(values), good


def _strings(
    fields: Fields, column: CsvColumn, missing: NDArray[np.bool_], encoding: str | None
) -> tuple[Column, NDArray[np.bool_]]:
    places = np.stack([fields.starts, fields.stops], axis=1).reshape(-1)
    every = np.arange(0, len(places), 2, dtype=np.int64)
    data, offsets = ragged_take(fields.data, np.append(places, 0), every)
    good = np.ones(len(missing), np.bool_)
    fill = _as_kind(column.default, encoding)
    if column.default is None:
        good &= ~missing
    if encoding is None and (not fill or not missing.any()) and not _differs(fields, missing):
        return Bytes(data, offsets), good
    if encoding is None:
        rows = Bytes(data, offsets).rows()
    else:
        rows = _decoded(data, offsets, encoding, good)
    if column.default is not None:
        for number in np.flatnonzero(missing).tolist():
            rows[number] = fill
    return Objects(rows), good


def _differs(fields: Fields, missing: NDArray[np.bool_]) -> bool:
    """Whether a field that is missing has a text that must be replaced."""
    return bool(np.any(missing & (fields.stops > fields.starts)))


def _as_kind(default: Any, encoding: str | None) -> Any:
    if encoding is None:
        return default.encode() if isinstance(default, str) else default
    return default.decode(encoding) if isinstance(default, bytes) else default


def _decoded(
    data: NDArray[np.uint8], offsets: NDArray[np.int64], encoding: str, good: NDArray[np.bool_]
) -> list[Any]:
    """Return the texts; those that are none become empty and are marked as not good."""
    whole = data.tobytes()
    bounds = offsets.tolist()
    if whole.isascii():
        text = whole.decode("ascii")
        return [text[start:stop] for start, stop in pairwise(bounds)]
    rows: list[Any] = []
    for number, (start, stop) in enumerate(pairwise(bounds)):
        try:
            rows.append(whole[start:stop].decode(encoding))
        except UnicodeDecodeError:
            rows.append("")
            good[number] = False
    return rows


def field_failure(
    text: bytes, column: CsvColumn, na_value: bytes, encoding: str | None
) -> str | None:
    """Say what is wrong with one field, or return None if nothing is."""
    if not text or text == na_value:
        return "is missing, and the column has no default" if column.default is None else None
    if column.dtype != string:
        data = np.frombuffer(text, np.uint8)
        ends = np.array([0], np.int64), np.array([len(text)], np.int64)
        if parse_numbers(data, *ends, column.dtype)[1][0]:
            return None
        return f"is no {column.kind}: {text.decode(errors='replace')!r}"
    try:
        text.decode(encoding or "latin-1")
    except UnicodeDecodeError as error:
        return f"is not {encoding}: {error.reason}"
    return None
