"""Feedline: tf.data's pipelines on NumPy arrays and plain Python functions."""

from __future__ import annotations

from feedline import data

__all__ = ["data"]
