"""feedline.data: the public names of tf.data."""

from __future__ import annotations

from feedline.dataset import Dataset
from feedline.iterator import Iterator
from feedline.options import AUTOTUNE, INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Options

__all__ = ["AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset", "Iterator", "Options"]
