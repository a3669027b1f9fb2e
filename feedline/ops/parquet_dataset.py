"""parquet_dataset: the rows of Parquet files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from feedline.errors import BuildTypeError, DataLossError, InvalidArgumentError
from feedline.files import is_remote, open_file
from feedline.files.seekable import SeekableFile
from feedline.ops.arrow_columns import block_of_batch, spec_of_schema
from feedline.ops.file_source import check_parallel_reads, names_node
from feedline.ops.row_groups import RowGroups, RowGroupsNode

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.run import Run

__all__ = ["ParquetDatasetNode", "check_fills", "check_names", "parquet_dataset"]

_CALL = "ParquetDataset()"


# ---- what the user calls ---------------------------------------------------


def parquet_dataset(
    filenames: Any,
    columns: Sequence[str] | None = None,
    fill_values: Mapping[str, Any] | None = None,
    num_parallel_reads: int | None = None,
    name: str | None = None,
) -> ParquetDatasetNode:
    """Return the plan of ``feedline.data.ParquetDataset``, which says what the arguments are."""
    return ParquetDatasetNode(
        names_node(_CALL, filenames),
        check_names(_CALL, columns),
        check_fills(_CALL, fill_values),
        cycle_length=check_parallel_reads(_CALL, num_parallel_reads),
        name=name,
    )


def check_names(call: str, columns: Any) -> tuple[str, ...] | None:
    """Return the names of columns, None for all of them."""
    if columns is None:
        return None
    if isinstance(columns, (str, bytes)) or not all(isinstance(name, str) for name in columns):
        raise BuildTypeError(f"{call}: columns must be a list of names, got {columns!r}.")
    return tuple(columns)


def check_fills(call: str, fill_values: Any) -> dict[str, Any]:
    """Return what stands for null, by the names of columns."""
    if fill_values is None:
        return {}
    if not isinstance(fill_values, Mapping):
        raise BuildTypeError(
            f"{call}: fill_values must be a dict from names of columns to values, got "
            f"{fill_values!r}."
        )
    return dict(fill_values)


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class ParquetDatasetNode(RowGroupsNode):
    """The rows of files; ``columns`` of them."""

    def rows_of(self, path: str, run: Run) -> ParquetRows:
        """Open one file."""
        return ParquetRows(self, path, run)

    def spec_of(self, path: str) -> Any:
        """What the schema says."""
        parquet, close = _opened(path)
        try:
            schema = parquet.schema_arrow
            names = chosen(path, schema, self.columns)
            return spec_of_schema(pa.schema([schema.field(name) for name in names]))
        finally:
            close()


# ---- what runs -------------------------------------------------------------


class ParquetRows(RowGroups):
    """The rows of one file."""

    def __init__(self, node: ParquetDatasetNode, path: str, run: Run) -> None:
        self._path = path
        self._fills = node.fill_values
        self._parquet, self._close = _opened(path)
        try:
            self._names = chosen(path, self._parquet.schema_arrow, node.columns)
            about = self._parquet.metadata
            groups = range(about.num_row_groups)
            super().__init__(run, [about.row_group(number).num_rows for number in groups])
        except BaseException:
            self._close()
            raise

    def read_group(self, number: int) -> Block:
        """Decode the columns that are wanted of one group."""
        try:
            table = self._parquet.read_row_group(number, columns=self._names, use_threads=False)
        except (pa.ArrowInvalid, OSError, EOFError) as error:
            raise DataLossError(
                f"{self._path}: row group {number} cannot be read: {error}. The file is damaged: "
                "write or copy it again."
            ) from error
        return block_of_table(table.select(self._names), self._fills, self._path)

    def close(self) -> None:
        """Let go of the file."""
        super().close()
        self._close()


def block_of_table(table: Any, fills: Mapping[str, Any], path: str) -> Block:
    """Return the rows of a table, whose columns may lie in several pieces."""
    arrays = [column.combine_chunks() for column in table.columns]
    flat = [
        (array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array)
        for array in arrays
    ]
    batch = pa.RecordBatch.from_arrays(flat, schema=table.schema)
    return block_of_batch(batch, fills, path)


def chosen(path: str, schema: Any, columns: tuple[str, ...] | None) -> list[str]:
    """Return the columns that are read, which must be there."""
    if columns is None:
        return list(schema.names)
    missing = [name for name in columns if name not in schema.names]
    if missing:
        raise InvalidArgumentError(
            f"{path}: there are no columns {missing}. The file has {schema.names}."
        )
    return list(columns)


def _opened(path: str) -> tuple[Any, Any]:
    """Return an open Parquet file, and what closes it."""
    file = open_file(path)
    try:
        parquet = pq.ParquetFile(pa.PythonFile(SeekableFile(file), "r"), pre_buffer=is_remote(path))
    except (pa.ArrowInvalid, OSError) as error:
        file.close()
        raise DataLossError(f"{path}: this is no Parquet file: {error}") from error
    except BaseException:
        file.close()
        raise

    def close() -> None:
        parquet.close(force=True)
        file.close()

    return parquet, close
