"""files: the datasets of tf.data.experimental that read files."""

from __future__ import annotations

from typing import Any

from feedline.data.files import FileDataset
from feedline.ops.csv_dataset import csv_dataset
from feedline.ops.sql_dataset import sql_dataset

__all__ = ["CsvDataset", "SqlDataset"]


class CsvDataset(FileDataset[tuple[Any, ...]]):
    r"""The records of comma-separated files: a tuple with a number or string for every column.

    A record ends at a newline, a carriage return, or both. A field that begins with a quote
    may hold all of these, and quotes as pairs. Numbers are read as in TensorFlow.

    Args:
        filenames: A name, a list or array of names, or a dataset of names.
        record_defaults: For every column, what stands for a field that is missing, or a dtype if
            none may be: float32, float64, int32, int64 or string.
        compression_type: "GZIP", "ZLIB", or None for none.
        buffer_size: How many bytes are read at once; 256 KiB by default.
        header: Whether the first record of every file is passed over.
        field_delim: What stands between fields, one character.
        use_quote_delim: Whether quotes have a meaning.
        na_value: The text of a field that is missing, besides an empty one.
        select_cols: The numbers of the columns that are read, rising; all by default.
        exclude_cols: The numbers of those that are not, instead.
        encoding: How strings were written, or None for bytes.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     _ = file.write(b'1,"a, b"\n2,\n')
        ...     file.flush()
        ...     list(tf.data.experimental.CsvDataset(file.name, [tf.int32, ["none"]]))
        [(np.int32(1), 'a, b'), (np.int32(2), 'none')]
    """

    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: str | None = None,
        buffer_size: int | None = None,
        header: bool = False,
        field_delim: str = ",",
        use_quote_delim: bool = True,
        na_value: str | bytes = "",
        select_cols: Any = None,
        exclude_cols: Any = None,
        *,
        encoding: str | None = "utf-8",
    ) -> None:
        node = csv_dataset(
            filenames,
            record_defaults,
            compression_type,
            buffer_size,
            header,
            field_delim,
            use_quote_delim,
            na_value,
            select_cols,
            exclude_cols,
            encoding=encoding,
        )
        super().__init__(node)


class SqlDataset(FileDataset[Any]):
    """The rows that a query of a database gives.

    Text is ``str``, blobs are ``bytes``; NULL is 0 or an empty string, as in TensorFlow. To
    resume, the query is run again: give it an ORDER BY.

    Args:
        driver_name: "sqlite".
        data_source_name: The file of the database, which is opened for reading alone.
        query: In SQL.
        output_types: The dtypes of the columns, in the structure that elements will have: int8 to
            int64, uint8, uint16, bool, float64 or string.

    Example:
        >>> import sqlite3, tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     with sqlite3.connect(file.name) as database:
        ...         _ = database.execute("create table t as select 1 as n, 'a' as s")
        ...     database.close()
        ...     types = (tf.int32, tf.string)
        ...     list(tf.data.experimental.SqlDataset("sqlite", file.name, "select * from t", types))
        [(np.int32(1), 'a')]
    """

    def __init__(
        self, driver_name: str, data_source_name: Any, query: str, output_types: Any
    ) -> None:
        super().__init__(sql_dataset(driver_name, data_source_name, query, output_types))
