"""experimental: tf.data.experimental as it was in TensorFlow 1."""

from __future__ import annotations

from feedline.compat.v1.namespaces import open_old_namespace
from feedline.data.experimental.transformations import map_and_batch_with_legacy_function

__all__ = ["map_and_batch_with_legacy_function"]

open_old_namespace(globals(), "feedline.data.experimental")
