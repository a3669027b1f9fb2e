"""parquet_dataset: the rows of Parquet files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from feedline.errors import BuildTypeError, DataLossError, InvalidArgumentError
from feedline.files import is_remote, open_seekable
from feedline.files.seekable import SeekableFile
from feedline.ops.arrow_columns import block_of_batch, spec_of_schema
from feedline.ops.file_source import check_parallel_reads, names_node
from feedline.ops.handles import Handles
from feedline.ops.row_groups import Groups, RowGroupsNode

if TYPE_CHECKING:
    from feedline.block import Block

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

    def groups_of(self, path: str) -> ParquetGroups:
        """Open one file."""
        return ParquetGroups(path, self.columns, self.fill_values)

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


class ParquetGroups(Groups):
    """The row groups of one file."""

    def __init__(
        self, path: str, columns: tuple[str, ...] | None, fills: Mapping[str, Any]
    ) -> None:
        self._path = path
        self._fills = fills
        known: list[Any] = [None]
        self._files = Handles(lambda: _opened(path, known[0]))
        try:
            with self._files.one() as parquet:
                self._names = chosen(path, parquet.schema_arrow, columns)
                about = known[0] = parquet.metadata
            groups = [about.row_group(number) for number in range(about.num_row_groups)]
            share = _share(groups[0], set(self._names)) if groups else 0
            self.lengths = [group.num_rows for group in groups]
            self.sizes = [int(share * group.total_byte_size) for group in groups]
        except BaseException:
            self._files.close()
            raise

    def read(self, number: int) -> Block:
        """Decode the columns that are wanted of one group."""
        try:
            with self._files.one() as parquet:
                table = parquet.read_row_group(number, columns=self._names, use_threads=False)
        except (pa.ArrowInvalid, OSError, EOFError) as error:
            raise DataLossError(
                f"{self._path}: row group {number} cannot be read: {error}. The file is damaged: "
                "write or copy it again."
            ) from error
        return block_of_table(table.select(self._names), self._fills, self._path)

    def close(self) -> None:
        """Let go of the file."""
        self._files.close()


def _share(group: Any, names: set[str]) -> float:
    """Return which part of a group the columns are that are read."""
    columns = [group.column(number) for number in range(group.num_columns)]
    sizes = {True: 0, False: 0}
    for column in columns:
        sizes[column.path_in_schema.split(".")[0] in names] += column.total_uncompressed_size
    return sizes[True] / max(sum(sizes.values()), 1)


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


def _opened(path: str, about: Any = None) -> tuple[Any, Any]:
    """Return an open Parquet file, and what closes it."""
    file = open_seekable(path)
    try:
        source = pa.PythonFile(SeekableFile(file), "r")
        parquet = pq.ParquetFile(source, metadata=about, pre_buffer=is_remote(path))
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
