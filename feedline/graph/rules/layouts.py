"""What is recorded before operations whose rounding depends on how numbers lie in memory."""

from __future__ import annotations

from typing import Any

from feedline.graph.layout import as_it_lies, laid_out
from feedline.graph.rule import batched

__all__ = []


@batched(as_it_lies)
def _as_it_lies(array: Any, layout: Any) -> Any:
    return laid_out(array.array, layout)
