"""io: records, images and files, as ``tf.io`` had them in TensorFlow 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.compat.v1.namespaces import open_old_namespace

if TYPE_CHECKING:
    from feedline.compat.v1.python_io import TFRecordCompressionType, tf_record_iterator

__all__ = ["TFRecordCompressionType", "tf_record_iterator"]

open_old_namespace(
    globals(), "feedline.io", {"compat.v1.python_io": "TFRecordCompressionType tf_record_iterator"}
)
