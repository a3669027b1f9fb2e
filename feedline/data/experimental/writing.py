"""writing: a whole dataset of byte strings written to one TFRecord file."""

from __future__ import annotations

import os
from typing import Any

from feedline.dataset import Dataset
from feedline.errors import BuildTypeError
from feedline.spec import TensorSpec, specs_agree, string
from feedline.tfrecord.options import TFRecordOptions
from feedline.tfrecord.writer import TFRecordWriter as RecordWriter

__all__ = ["TFRecordWriter"]


class TFRecordWriter:
    """Writes the elements of a dataset, which must be byte strings, to a TFRecord file.

    ``Dataset.save_tfrecord()`` writes several files, and none that is not complete.

    Args:
        filename: The file, which is replaced if it is there.
        compression_type: "GZIP", "ZLIB", or None for none.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(3).map(tf.io.serialize_tensor)
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     tf.data.experimental.TFRecordWriter(file.name).write(ds)
        ...     len(list(tf.data.TFRecordDataset(file.name)))
        3
    """

    def __init__(
        self, filename: str | os.PathLike[str], compression_type: str | None = None
    ) -> None:
        self._filename = filename
        self._options = TFRecordOptions(compression_type)

    def write(self, dataset: Dataset[Any]) -> None:
        """Write all elements of a dataset."""
        if not isinstance(dataset, Dataset):
            raise BuildTypeError(
                f"TFRecordWriter.write(): dataset must be a Dataset, got {dataset!r} of type "
                f"{type(dataset).__name__}."
            )
        if not specs_agree(TensorSpec((), string), dataset.element_spec):
            raise BuildTypeError(
                "TFRecordWriter.write(): elements must be byte strings, they are "
                f"{dataset.element_spec}. Use map(tf.io.serialize_tensor) before, or serialize "
                "a tf.train.Example."
            )
        with RecordWriter(self._filename, self._options) as writer:
            for record in dataset:
                writer.write(record)
