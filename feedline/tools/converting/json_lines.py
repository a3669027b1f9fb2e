"""json_lines: files with a JSON object in every line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from feedline.errors import DecodeError, InvalidArgumentError
from feedline.files import open_file
from feedline.tools.converting.column_kinds import ColumnKinds
from feedline.tools.converting.lines import lines_from
from feedline.tools.converting.source import Piece, Source, Step
from feedline.tools.example_bytes import Values

__all__ = ["JsonLines"]


class JsonLines(Source):
    """JSON lines. Objects in objects become features "outer/inner"; null is a missing one."""

    kind = "JSON lines"

    def __init__(self, paths: list[str]) -> None:
        super().__init__(paths)
        self._kinds = ColumnKinds()

    def survey(self) -> Iterator[Step]:
        """Read every line, for the kinds of values."""
        for path in self.paths:
            for row, start, stop in _objects(path, 0):
                for name, value in row.items():
                    try:
                        self._kinds.see(name, value)
                    except InvalidArgumentError as error:
                        raise InvalidArgumentError(f"{path}, byte {start}: {error}") from None
                yield Step(path, stop, stop - start + 8 * len(row))

    def records(self, piece: Piece) -> Iterator[Mapping[str, Values]]:
        """Read lines again, from a byte on."""
        for row, _, stop in _objects(piece.path, piece.start):
            yield self._kinds.record(row)
            if stop >= piece.stop:
                return

    def files(self) -> list[str]:
        """Return the files."""
        return self.paths

    def columns(self) -> dict[str, str]:
        """Return the kinds of values."""
        return self._kinds.names()

    def state(self) -> dict[str, Any]:
        """Return the kinds of values."""
        return {"kinds": self._kinds.kinds}

    def restore(self, state: dict[str, Any]) -> None:
        """Take them over."""
        self._kinds.kinds = dict(state["kinds"])


def _objects(path: str, start: int) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Yield the objects of lines that are not blank, and where the lines begin and end."""
    with open_file(path) as file:
        for line in lines_from(file, start):
            stop = start + len(line)
            if line.strip():
                yield _parsed(path, line, start), start, stop
            start = stop


def _parsed(path: str, line: bytes, start: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise DecodeError(f"{path}, the line at byte {start}: {error}.") from error
    if not isinstance(row, dict):
        raise DecodeError(
            f"{path}, the line at byte {start}: a JSON object is needed, got {line[:40]!r}."
        )
    return dict(_flat(row, ""))


def _flat(row: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", value
