"""arrow: datasets that read what pyarrow reads. Loaded when one of them is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from feedline.data.files import FileDataset
from feedline.ops.arrow_dataset import arrow_dataset
from feedline.ops.parquet_dataset import parquet_dataset

__all__ = ["ArrowDataset", "ParquetDataset"]


class ParquetDataset(FileDataset[dict[str, Any]]):
    """The rows of Parquet files: a dict with a value for every column.

    One row group of a file is in memory at a time, and, where files are read one after the other,
    up to 64 MB of those that follow, which threads read. ``ds[i]`` reads the group that a row is
    in; ``skip()`` reads none of those that it passes.
    Numbers are not copied, text is ``str``, lists are arrays of different lengths, structs are
    dicts.

    Args:
        filenames: A name, a list or array of names, or a dataset of names.
        columns: The names of the columns that are read; all by default.
        fill_values: What stands for null, by the name of the column. Without one, a null is an
            error. Fields of structs are named ``"column.field"``.
        num_parallel_reads: How many files are read in turn, a row of each; AUTOTUNE for 16,
            None for one file after the other.
        name: Shown in plans and errors.

    Example:
        >>> import tempfile
        >>> import pyarrow as pa, pyarrow.parquet
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     pa.parquet.write_table(pa.table({"x": [1, 2], "s": ["a", "b"]}), file.name)
        ...     ds = tf.data.ParquetDataset(file.name)
        ...     list(ds), ds[1]["s"]
        ([{'x': np.int64(1), 's': 'a'}, {'x': np.int64(2), 's': 'b'}], 'b')
    """

    def __init__(
        self,
        filenames: Any,
        columns: Sequence[str] | None = None,
        fill_values: Mapping[str, Any] | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(parquet_dataset(filenames, columns, fill_values, num_parallel_reads, name))


class ArrowDataset(FileDataset[dict[str, Any]]):
    """The rows of Arrow IPC files, also known as Feather: a dict with a value for every column.

    Files of this machine are mapped into memory; ``ds[i]`` reads any row. Values are as
    ParquetDataset gives them.

    Args:
        filenames: A name, a list or array of names, or a dataset of names.
        columns: The names of the columns that are read; all by default.
        fill_values: What stands for null, by the name of the column.
        num_parallel_reads: How many files are read in turn, a row of each; AUTOTUNE for 16,
            None for one file after the other.
        name: Shown in plans and errors.

    Example:
        >>> import tempfile
        >>> import pyarrow as pa
        >>> import feedline as tf
        >>> table = pa.table({"x": [1, 2]})
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     with pa.ipc.new_file(file.name, table.schema) as writer:
        ...         writer.write_table(table)
        ...     list(tf.data.ArrowDataset(file.name))
        [{'x': np.int64(1)}, {'x': np.int64(2)}]
    """

    def __init__(
        self,
        filenames: Any,
        columns: Sequence[str] | None = None,
        fill_values: Mapping[str, Any] | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(arrow_dataset(filenames, columns, fill_values, num_parallel_reads, name))
