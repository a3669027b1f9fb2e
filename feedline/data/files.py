"""files: the datasets that read files, as classes with tf.data's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from feedline.dataset import Dataset
from feedline.ops.fixed_length_record_dataset import fixed_length_record_dataset
from feedline.ops.text_line_dataset import text_line_dataset
from feedline.ops.tf_record_dataset import tf_record_dataset

if TYPE_CHECKING:
    from feedline.plan.node import Node

__all__ = ["FileDataset", "FixedLengthRecordDataset", "TFRecordDataset", "TextLineDataset"]

T = TypeVar("T")


class FileDataset(Dataset[T]):
    """A dataset that reads files. What it is transformed into is a Dataset like any other."""

    @classmethod
    def of_node(cls, node: Node) -> Dataset[Any]:
        """Return a dataset that ends with ``node``."""
        return Dataset(node)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self.node)


def _unpickled(kind: type[FileDataset[Any]], node: Node) -> FileDataset[Any]:
    """Return a dataset as it was pickled, without asking for its arguments again."""
    made = kind.__new__(kind)
    Dataset.__init__(made, node)
    return made


class TextLineDataset(FileDataset[Any]):
    r"""The lines of text files, without their ends.

    Lines are ``str``, or ``bytes`` if ``encoding`` is None. As in TensorFlow, a line ends at a
    newline, carriage returns are left out, and the last line needs no end.

    Args:
        filenames: A name, a list or array of names, or a dataset of names. Local paths, and
            URLs that fsspec knows.
        compression_type: "GZIP", "ZLIB", or None for none.
        buffer_size: How many bytes are read at once; 0 or None for 256 KiB.
        num_parallel_reads: How many files are read in turn, a line of each; AUTOTUNE for 16,
            None for one file after the other.
        name: Shown in plans and errors.
        encoding: How the text was written, or None for bytes.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     _ = file.write(b"first\nsecond")
        ...     file.flush()
        ...     list(tf.data.TextLineDataset(file.name))
        ['first', 'second']
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: str | None = None,
        buffer_size: int | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
        *,
        encoding: str | None = "utf-8",
    ) -> None:
        node = text_line_dataset(
            filenames,
            compression_type,
            buffer_size,
            num_parallel_reads,
            name,
            encoding=encoding,
        )
        super().__init__(node)


class FixedLengthRecordDataset(FileDataset[bytes]):
    """The records of binary files in which all records have one length, as ``bytes``.

    Files that are not compressed are mapped into memory, and ``ds[i]`` reads any record.

    Args:
        filenames: A name, a list or array of names, or a dataset of names.
        record_bytes: How long a record is.
        header_bytes: How many bytes of every file come before its first record.
        footer_bytes: How many bytes of every file come after its last record.
        buffer_size: How many bytes of a compressed file are read at once.
        compression_type: "GZIP", "ZLIB", or None for none.
        num_parallel_reads: How many files are read in turn, a record of each; AUTOTUNE for 16,
            None for one file after the other.
        name: Shown in plans and errors.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     _ = file.write(b"#aabbcc")
        ...     file.flush()
        ...     ds = tf.data.FixedLengthRecordDataset(file.name, 2, header_bytes=1)
        ...     list(ds), ds[1]
        ([b'aa', b'bb', b'cc'], b'bb')
    """

    def __init__(
        self,
        filenames: Any,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        buffer_size: int | None = None,
        compression_type: str | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> None:
        node = fixed_length_record_dataset(
            filenames,
            record_bytes,
            header_bytes,
            footer_bytes,
            buffer_size,
            compression_type,
            num_parallel_reads,
            name,
        )
        super().__init__(node)


class TFRecordDataset(FileDataset[bytes]):
    """The records of TFRecord files, as ``bytes``, exactly as they were written.

    Every record is checked. One that is damaged raises DataLossError with its place, and
    ``ignore_errors()`` leaves it out. ``ds[i]`` and ``shuffle(None)`` read any record of files
    that are not compressed; for that an index is made the first time, and kept.

    Args:
        filenames: A name, a list or array of names, or a dataset of names. Local paths, and
            URLs that fsspec knows.
        compression_type: "GZIP", "ZLIB", or None for none.
        buffer_size: How many bytes of a file are read at once; 0 or None for 256 KiB.
        num_parallel_reads: How many files are read in turn, a record of each; AUTOTUNE for 16,
            None for one file after the other.
        name: Shown in plans and errors.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with tf.io.TFRecordWriter(f"{folder}/words") as writer:
        ...         writer.write(b"one")
        ...         writer.write(b"two")
        ...     list(tf.data.TFRecordDataset(f"{folder}/words"))
        [b'one', b'two']
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: str | None = None,
        buffer_size: int | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> None:
        node = tf_record_dataset(filenames, compression_type, buffer_size, num_parallel_reads, name)
        super().__init__(node)
