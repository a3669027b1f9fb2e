"""Batching rules: one file per family of NumPy functions."""

from __future__ import annotations

from feedline.graph.rules import elementwise, indexing, reductions

__all__ = ["elementwise", "indexing", "reductions"]
