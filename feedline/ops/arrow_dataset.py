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
    """The record batches of one file, in memory where it can be mapped."""

    def __init__(
        self, path: str, columns: tuple[str, ...] | None, fills: Mapping[str, Any]
    ) -> None:
        self._path = path
        self._fills = fills
        self._files = Handles(lambda: _reader(path))
        try:
            with self._files.one() as reader:
                self._names = chosen(path, reader.schema, columns)
                batches = [
                    self._batch(reader, number) for number in range(reader.num_record_batches)
                ]
            self.lengths = [batch.num_rows for batch in batches]
            self.sizes = [batch.nbytes for batch in batches]
        except BaseException:
            self._files.close()
            raise

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


def _reader(path: str) -> tuple[Any, Any]:
    """Return an open file, and what closes it."""
    source = _source(path)
    try:
        return _opened(path, source), source.close
    except BaseException:
        source.close()
        raise


def _source(path: str) -> Any:
    """Return the file for Arrow: as memory, or as a Python object where it lies elsewhere."""
    file = open_seekable(path)
    if is_remote(path):
        return pa.PythonFile(SeekableFile(file), "r")
    file.close()
    try:
        return pa.memory_map(local_path(path))
    except (pa.ArrowInvalid, OSError) as error:
        raise DataLossError(f"{path}: this is no Arrow file: {error}") from error


def _opened(path: str, source: Any) -> Any:
    try:
        return pa.ipc.open_file(source)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataLossError(
            f"{path}: this is no Arrow file: {error}. A stream of record batches has no index: "
            "write it with pyarrow.ipc.new_file()."
        ) from error
