"""sequence: the older home of pad_sequences."""

from __future__ import annotations

from feedline.keras.numerical import pad_sequences
from feedline.namespace import open_namespace

__all__ = ["pad_sequences"]

open_namespace(globals())
