"""strings: functions on strings, as ``tf.strings`` had them in TensorFlow 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.compat.v1.namespaces import open_old_namespace

if TYPE_CHECKING:
    from feedline.compat.v1.functions import split

__all__ = ["split"]

open_old_namespace(globals(), "feedline.strings", {"compat.v1.functions": "split"})
