"""arrow_dataset: the rows of Arrow IPC files, also known as Feather."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from feedline.errors import DataLossError
from feedline.files import is_remote, open_file
from feedline.files.local import local_path
from feedline.files.seekable import SeekableFile
from feedline.ops.arrow_columns import block_of_batch, spec_of_schema
from feedline.ops.file_source import check_parallel_reads, names_node
from feedline.ops.parquet_dataset import check_fills, check_names, chosen
from feedline.ops.row_groups import RowGroups, RowGroupsNode

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.run import Run

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

    def rows_of(self, path: str, run: Run) -> ArrowRows:
        """Open one file."""
        return ArrowRows(self, path, run)

    def spec_of(self, path: str) -> Any:
        """What the schema says."""
        with _source(path) as source:
            schema = _opened(path, source).schema
            names = chosen(path, schema, self.columns)
            return spec_of_schema(pa.schema([schema.field(name) for name in names]))


# ---- what runs -------------------------------------------------------------


class ArrowRows(RowGroups):
    """The rows of one file, in memory where it can be mapped."""

    def __init__(self, node: ArrowDatasetNode, path: str, run: Run) -> None:
        self._path = path
        self._fills = node.fill_values
        self._source = _source(path)
        try:
            self._reader = _opened(path, self._source)
            self._names = chosen(path, self._reader.schema, node.columns)
            batches = range(self._reader.num_record_batches)
            super().__init__(run, [self._batch(number).num_rows for number in batches])
        except BaseException:
            self._source.close()
            raise

    def _batch(self, number: int) -> Any:
        try:
            return self._reader.get_batch(number)
        except (pa.ArrowInvalid, OSError, EOFError) as error:
            raise DataLossError(
                f"{self._path}: record batch {number} cannot be read: {error}. The file is "
                "damaged: write or copy it again."
            ) from error

    def read_group(self, number: int) -> Block:
        """Take the columns that are wanted of one batch."""
        batch = self._batch(number)
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
        super().close()
        self._source.close()


def _source(path: str) -> Any:
    """Return the file for Arrow: as memory, or as a Python object where it lies elsewhere."""
    file = open_file(path)
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
