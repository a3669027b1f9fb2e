"""feedline.data: the public names of tf.data."""

from __future__ import annotations

from feedline.data import experimental
from feedline.dataset import Dataset
from feedline.iterator import Iterator, NumpyIterator
from feedline.options import (
    AUTOTUNE,
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    Options,
    ThreadingOptions,
)
from feedline.spec import DatasetSpec, IteratorSpec

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "Iterator",
    "IteratorSpec",
    "NumpyIterator",
    "Options",
    "ThreadingOptions",
    "experimental",
]
