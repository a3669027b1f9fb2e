"""arrow_dataset: the rows of Arrow IPC files, also known as Feather."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from feedline.errors import DataLossError
from feedline.files import is_remote, open_seekable
from feedline.files.paths import local_path
from feedline.files.seekable import SeekableFile
from feedline.ops.arrow_columns import block_of_batch, spec_of_schema
from feedline.ops.file_source import check_parallel_reads, names_node
from feedline.ops.handles import Handles
from feedline.ops.parquet_dataset import check_fills, check_names, chosen
from feedline.ops.row_groups import Groups, RowGroupsNode

if TYPE_CHECKING:
    from feedline.block import Block

__all__ = ["ArrowDatasetNode", "arrow_dataset"]

_CALL = "ArrowDataset()"


# ---- what the user calls ---------------------------------------------------


def arrow_dataset(
    filenames: Any,
    columns: Sequence[str] | None = None,
    fill_values: Mapping[str, Any] | None = None,
    num_parallel_reads: int | None = None,
    name: str | None = None,
) -> ArrowDatasetNode:
    """Return the plan of ``feedline.data.ArrowDataset``, which says what the arguments are."""
    return ArrowDatasetNode(
        names_node(_CALL, filenames),
        check_names(_CALL, columns),
        check_fills(_CALL, fill_values),
        cycle_length=check_parallel_reads(_CALL, num_parallel_reads),
        name=name,
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class ArrowDatasetNode(RowGroupsNode):
    """The rows of files; ``columns`` of them."""

    def groups_of(self, path: str) -> ArrowGroups:
        """Open one file."""
        return ArrowGroups(path, self.columns, self.fill_values)

    def spec_of(self, path: str) -> Any:
        """What the schema says."""
        with _source(path) as source:
            schema = _opened(path, source).schema
            names = chosen(path, schema, self.columns)
            return spec_of_schema(pa.schema([schema.field(name) for name in names]))


# ---- what runs -------------------------------------------------------------


class ArrowGroups(Groups):
    """The record batches of one file."""

    def __init__(
        self, path: str, columns: tuple[str, ...] | None, fills: Mapping[str, Any]
    ) -> None:
        self._path = path
        self._fills = fills
        with _source(path) as source:
            schema = _opened(path, source).schema
            num_bytes = source.size()
        self._names = chosen(path, schema, columns)
        fields = [schema.get_field_index(name) for name in self._names]
        self.lengths = self._lengths(schema)
        rows = max(1, sum(self.lengths))
        self.sizes = [num_bytes * length // rows for length in self.lengths]
        self._files = Handles(lambda: _reader(path, fields))

    def _lengths(self, schema: Any) -> list[int]:
        """Return how many rows each batch has: nothing is read of them but one column."""
        narrow = min(range(len(schema)), key=lambda n: _width(schema.types[n]), default=0)
        reader, close = _reader(self._path, [narrow])
        try:
            return [
                self._batch(reader, number).num_rows for number in range(reader.num_record_batches)
            ]
        finally:
            close()

    def _batch(self, reader: Any, number: int) -> Any:
        try:
            return reader.get_batch(number)
        except (pa.ArrowInvalid, OSError, EOFError) as error:
            raise DataLossError(
                f"{self._path}: record batch {number} cannot be read: {error}. The file is "
                "damaged: write or copy it again."
            ) from error

    def read(self, number: int) -> Block:
        """Take the columns that are wanted of one batch."""
        with self._files.one() as reader:
            batch = self._batch(reader, number)
        try:
            batch.validate(full=True)  # offsets in a damaged file may point anywhere
        except pa.ArrowInvalid as error:
            raise DataLossError(
                f"{self._path}: record batch {number} is damaged: {error}. Write or copy the file "
                "again."
            ) from error
        return block_of_batch(batch.select(self._names), self._fills, self._path)

    def close(self) -> None:
        """Let go of the file."""
        self._files.close()


def _width(kind: Any) -> int:
    """Return how many bits a value takes; many, where they differ."""
    try:
        return int(kind.bit_width)
    except ValueError:
        return 1 << 30


def _reader(path: str, fields: list[int]) -> tuple[Any, Any]:
    """Return a file opened for some of its columns, and what closes it."""
    source = _source(path)
    try:
        return _opened(path, source, fields), source.close
    except BaseException:
        source.close()
        raise


def _source(path: str) -> Any:
    """Return the file for Arrow: not as memory, for whoever shortened it would end this process."""
    file = open_seekable(path)
    if is_remote(path):
        return pa.PythonFile(SeekableFile(file), "r")
    file.close()
    try:
        return pa.OSFile(local_path(path), "r")
    except (pa.ArrowInvalid, OSError) as error:
        raise DataLossError(f"{path}: this is no Arrow file: {error}") from error


def _opened(path: str, source: Any, fields: list[int] | None = None) -> Any:
    options = pa.ipc.IpcReadOptions(included_fields=fields or [])  # no field is every field
    try:
        return pa.ipc.open_file(source, options=options)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataLossError(
            f"{path}: this is no Arrow file: {error}. A stream of record batches has no index: "
            "write it with pyarrow.ipc.new_file()."
        ) from error
