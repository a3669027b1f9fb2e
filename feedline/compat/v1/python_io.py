"""python_io: records of TFRecord files, as TensorFlow 1 wrote and read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from feedline.data.files import TFRecordDataset
from feedline.namespace import open_namespace
from feedline.tfrecord.options import TFRecordOptions
from feedline.tfrecord.writer import TFRecordWriter

__all__ = [
    "TFRecordCompressionType",
    "TFRecordOptions",
    "TFRecordWriter",
    "tf_record_iterator",
]


class TFRecordCompressionType:
    """The ways a file may be packed, as numbers."""

    NONE: ClassVar[int] = 0
    ZLIB: ClassVar[int] = 1
    GZIP: ClassVar[int] = 2


def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """Yield the records of a file.

    Args:
        path: Of the file.
        options: TFRecordOptions, or only the compression.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     with tf.io.TFRecordWriter(file.name) as writer:
        ...         writer.write(b"one")
        ...     list(tf.compat.v1.python_io.tf_record_iterator(file.name))
        [b'one']
    """
    kind = TFRecordOptions.get_compression_type_string(options)
    return iter(TFRecordDataset(path, kind).as_numpy_iterator())


open_namespace(globals())
