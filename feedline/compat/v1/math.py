"""math: numbers, as ``tf.math`` had them in TensorFlow 1."""

from __future__ import annotations

from feedline.compat.v1.namespaces import open_old_namespace

__all__ = ()

open_old_namespace(globals(), "feedline.math")
