"""feedline.data: the public names of tf.data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.data import experimental
from feedline.data.files import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from feedline.dataset import Dataset
from feedline.error_policy import ErrorPolicy
from feedline.iterator import Iterator, NumpyIterator
from feedline.namespace import open_namespace
from feedline.options import (
    AUTOTUNE,
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    Options,
    ThreadingOptions,
)
from feedline.quarantine import Quarantine, QuarantineEntry
from feedline.spec import DatasetSpec, IteratorSpec

if TYPE_CHECKING:
    from feedline.data.arrow import ArrowDataset, ParquetDataset
    from feedline.data.formats import JsonLinesDataset, NumpyFileDataset, TarDataset
    from feedline.data.image_folder import image_dataset_from_directory

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "ArrowDataset",
    "Dataset",
    "DatasetSpec",
    "ErrorPolicy",
    "FixedLengthRecordDataset",
    "Iterator",
    "IteratorSpec",
    "JsonLinesDataset",
    "NumpyFileDataset",
    "NumpyIterator",
    "Options",
    "ParquetDataset",
    "Quarantine",
    "QuarantineEntry",
    "TFRecordDataset",
    "TarDataset",
    "TextLineDataset",
    "ThreadingOptions",
    "experimental",
    "image_dataset_from_directory",
]

# Loaded when they are asked for: they need modules that most programs do not.
_ROOMS = {
    "data.arrow": "ArrowDataset ParquetDataset",
    "data.formats": "JsonLinesDataset NumpyFileDataset TarDataset",
    "data.image_folder": "image_dataset_from_directory",
}

open_namespace(globals(), _ROOMS)
