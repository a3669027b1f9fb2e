"""feedline.compat: TensorFlow 1's names where they mean the same, and text as bytes and back."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from feedline.compat.kinds import (
    bytes_or_text_types,
    complex_types,
    integral_types,
    real_types,
)
from feedline.compat.shapes import dimension_value
from feedline.compat.texts import as_bytes, as_str, as_str_any, as_text, path_to_str
from feedline.namespace import open_namespace

if TYPE_CHECKING:
    from feedline.compat import v1

__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "dimension_value",
    "integral_types",
    "path_to_str",
    "real_types",
    "v1",
    "v2",
]

# What is named here is TensorFlow 2's, so that this is feedline under another name.
v2 = sys.modules["feedline.compat.v2"] = sys.modules["feedline"]

open_namespace(globals(), modules=["v1"])
