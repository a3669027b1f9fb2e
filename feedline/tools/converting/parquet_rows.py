"""parquet_rows: Parquet files, read with pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as arrow
from pyarrow import parquet

from feedline.errors import DataLossError, FileError
from feedline.tools.converting.column_kinds import ColumnKinds
from feedline.tools.converting.source import Piece, Source, Step
from feedline.tools.example_bytes import FLOAT, INT, TEXT, Values

__all__ = ["ParquetRows"]

_RUN = 1024


class ParquetRows(Source):
    """Rows of Parquet files: integers and bools become int64, floats float32, text bytes."""

    kind = "Parquet"

    def __init__(self, paths: list[str]) -> None:
        super().__init__(paths)
        self._kinds = ColumnKinds()

    def survey(self) -> Iterator[Step]:
        """Read what the files say about themselves."""
        for path in self.paths:
            with _opened(path) as file:
                for field in file.schema_arrow:
                    self._see(path, field)
                row = 0
                for number in range(file.num_row_groups):
                    group = file.metadata.row_group(number)
                    size = group.total_byte_size // max(group.num_rows, 1) + 16
                    for _ in range(group.num_rows):
                        row += 1
                        yield Step(path, row, size)

    def _see(self, path: str, field: Any) -> None:
        kind = _kind_of(field.type)
        if kind is None:
            raise FileError(
                f"{path}: column {field.name!r} is {field.type}, which an Example cannot hold. "
                "Drop it or change it first."
            )
        known = self._kinds.kinds.setdefault(field.name, kind)
        if known != kind:
            raise FileError(f"{path}: column {field.name!r} is {field.type}, but not in all files.")

    def records(self, piece: Piece) -> Iterator[Mapping[str, Values]]:
        """Read the row groups that hold the piece."""
        with _opened(piece.path) as file:
            first = 0
            for number in range(file.num_row_groups):
                count = file.metadata.row_group(number).num_rows
                start, stop = max(piece.start - first, 0), min(piece.stop - first, count)
                first += count
                if start < stop:
                    table = file.read_row_group(number).slice(start, stop - start)
                    for run in table.to_batches(max_chunksize=_RUN):
                        yield from map(self._kinds.record, run.to_pylist())

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


def _opened(path: str) -> Any:
    try:
        return parquet.ParquetFile(path)
    except arrow.ArrowInvalid as error:
        raise DataLossError(
            f"{path}: the file is damaged or no Parquet file: {error}. Write or copy it again."
        ) from error


def _kind_of(found: Any) -> int | None:
    types = arrow.types
    if types.is_list(found) or types.is_large_list(found) or types.is_fixed_size_list(found):
        inner = found.value_type
        return None if types.is_nested(inner) else _kind_of(inner)
    if types.is_dictionary(found):
        return _kind_of(found.value_type)
    if types.is_integer(found) or types.is_boolean(found):
        return INT
    if types.is_floating(found):
        return FLOAT
    if types.is_string(found) or types.is_large_string(found):
        return TEXT
    if types.is_binary(found) or types.is_large_binary(found) or types.is_fixed_size_binary(found):
        return TEXT
    return None
