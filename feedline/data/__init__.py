"""feedline.data: the public names of tf.data."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from feedline.data import experimental
from feedline.data.files import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from feedline.dataset import Dataset
from feedline.error_policy import ErrorPolicy
from feedline.iterator import Iterator, NumpyIterator
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
_LATE = {
    "ArrowDataset": "arrow",
    "JsonLinesDataset": "formats",
    "NumpyFileDataset": "formats",
    "ParquetDataset": "arrow",
    "TarDataset": "formats",
    "image_dataset_from_directory": "image_folder",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'feedline.data' has no attribute {name!r}")
    try:
        module = import_module(f"feedline.data.{_LATE[name]}")
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise ImportError(
            f"{name} needs pyarrow, which is not installed: pip install 'feedline[arrow]'."
        ) from error
    found = globals()[name] = getattr(module, name)
    return found
