"""csv_rows: comma-separated files whose first row names the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import Any

from feedline.errors import DecodeError
from feedline.files import open_file
from feedline.tools.converting.column_kinds import ColumnKinds
from feedline.tools.converting.lines import lines_from
from feedline.tools.converting.source import Piece, Source, Step
from feedline.tools.example_bytes import Values

__all__ = ["CsvRows"]


class CsvRows(Source):
    """Rows of CSV files. A column of whole numbers becomes int64, of numbers float32."""

    kind = "CSV"

    def __init__(self, paths: list[str]) -> None:
        super().__init__(paths)
        self._kinds = ColumnKinds()

    def survey(self) -> Iterator[Step]:
        """Read every row, for the kinds of columns."""
        for path in self.paths:
            rows = _rows(path, 0)
            names, _ = _header(path, rows)
            around = sum(map(len, names)) + 9 * len(names)
            for row, stop in rows:
                _check_row(path, row, names, stop)
                for name, field in zip(names, row, strict=True):
                    self._kinds.see_text(name, field)
                yield Step(path, stop, sum(map(len, row)) + around)

    def records(self, piece: Piece) -> Iterator[Mapping[str, Values]]:
        """Read rows again, from a byte on."""
        names, first = _header(piece.path, _rows(piece.path, 0))
        for row, stop in _rows(piece.path, max(piece.start, first)):
            _check_row(piece.path, row, names, stop)
            pairs = zip(names, row, strict=True)
            made = {name: self._kinds.of_text(name, field) for name, field in pairs}
            yield {name: feature for name, feature in made.items() if feature is not None}
            if stop >= piece.stop:
                return

    def files(self) -> list[str]:
        """Return the files."""
        return self.paths

    def columns(self) -> dict[str, str]:
        """Return the kinds of columns."""
        return self._kinds.names()

    def state(self) -> dict[str, Any]:
        """Return the kinds of columns."""
        return {"kinds": self._kinds.kinds}

    def restore(self, state: dict[str, Any]) -> None:
        """Take them over."""
        self._kinds.kinds = dict(state["kinds"])


def _header(path: str, rows: Iterator[tuple[list[str], int]]) -> tuple[list[str], int]:
    """Return the names of columns, and where the first row ends."""
    found = next(rows, None)
    if found is None:
        raise DecodeError(f"{path}: the file is empty; its first row must name the columns.")
    names, _ = found
    if len(set(names)) < len(names) or not all(names):
        raise DecodeError(
            f"{path}: the first row must name every column once, got {', '.join(names)}. "
            "Add such a row."
        )
    return found


def _check_row(path: str, row: list[str], names: list[str], stop: int) -> None:
    if len(row) != len(names):
        raise DecodeError(
            f"{path}, the row that ends at byte {stop}: {len(names)} fields are needed, as in the "
            f"first row, got {len(row)}."
        )


def _rows(path: str, start: int) -> Iterator[tuple[list[str], int]]:
    """Yield rows that are not empty, and the byte at which each ends."""
    place = [start]
    with open_file(path) as file:

        def lines() -> Iterator[str]:
            for line in lines_from(file, start):
                place[0] += len(line)
                yield line.decode(
                    "utf-8-sig" if place[0] == len(line) else "utf-8", "surrogateescape"
                )

        try:
            for row in csv.reader(lines(), strict=True):
                if row:
                    yield row, place[0]
        except csv.Error as error:
            raise DecodeError(f"{path}, the row that ends at byte {place[0]}: {error}.") from error
