"""table: whole chunks of comma-separated text as columns, where there is nothing wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from feedline.column import Bytes, Column, Dense
from feedline.csv.format import CsvColumn, CsvFormat
from feedline.kernels.csv_table import KINDS, csv_table
from feedline.spec import string
from feedline.text_column import Texts

__all__ = ["TableReader"]

# How many fields a record may have where only some of them are wanted.
_ANY = 1 << 40
_KIND_OF = {dtype: kind for kind, dtype in KINDS.items()}


@dataclass(frozen=True, slots=True)
class TableReader:
    """Reads text that is as it should be; what is not, others must look at.

    Args:
        format: How text is cut into fields.
        targets: The columns, as csv_table() takes them.
        counts: How many fields a record has, at least and at most.
        is_text: Whether strings are str.
    """

    format: CsvFormat
    targets: list[tuple[int, str, Any]]
    counts: tuple[int, int]
    is_text: bool

    @staticmethod
    def of(
        columns: Sequence[CsvColumn],
        places: Sequence[int],
        counts: tuple[int, int | None],
        way: CsvFormat,
        encoding: str | None,
    ) -> TableReader | None:
        """Return the reader of some columns; None if it takes more than this to read them.

        Args:
            columns: What is wanted.
            places: Which fields of a record that is.
            counts: How many fields a record has, at least and at most; None for any number.
            way: How text is cut into fields.
            encoding: Of strings; None for bytes.
        """
        if encoding not in (None, "utf-8"):
            return None
        targets = [
            (place, "s" if column.dtype == string else _KIND_OF[column.dtype], _fill(column))
            for place, column in zip(places, columns, strict=True)
        ]
        if encoding is not None and not all(map(_is_text, targets)):
            return None
        most = _ANY if counts[1] is None else counts[1]
        return TableReader(way, targets, (counts[0], most), encoding is not None)

    def read(
        self, data: bytes, is_final: bool, header: bool = False
    ) -> tuple[list[Column], int, int, int] | None:
        """Return the columns, how many records they have, how many bytes and lines those took.

        None if something in the text must be looked at more closely.
        """
        form = self.format
        found = csv_table(
            np.frombuffer(data, np.uint8),
            form.delimiter,
            form.quotes,
            is_final,
            header,
            form.na_value,
            self.counts,
            self.targets,
            self.is_text,
        )
        if found is None:
            return None
        columns, num_records, num_bytes, num_lines = found
        num_lines = num_lines or data.count(b"\r", 0, num_bytes)
        return [self._column(column) for column in columns], num_records, num_bytes, num_lines

    def _column(self, found: Any) -> Column:
        if not isinstance(found, tuple):
            return Dense(found)
        return Texts(Bytes(*found)) if self.is_text else Bytes(*found)


def _fill(column: CsvColumn) -> Any:
    """Return what stands for a field that is missing, as the kernel takes it."""
    if column.default is None or column.dtype != string:
        return column.default if column.default is None else column.default.item()
    default = column.default
    return default.encode() if isinstance(default, str) else default


def _is_text(target: tuple[int, str, Any]) -> bool:
    """Whether a default that is a string can be a str."""
    _, kind, fill = target
    if kind != "s" or fill is None:
        return True
    try:
        fill.decode()
    except UnicodeDecodeError:
        return False
    return True
