"""Feedline: tf.data's pipelines on NumPy arrays and plain Python functions.

``import feedline as tf`` turns tf.data input code into Feedline code.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from feedline import data, dtypes, errors, lookup, ragged, sparse
from feedline.dtypes import (
    bool,  # noqa: A004  (TensorFlow's names are the API)
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.spec import OptionalSpec, RaggedTensorSpec, SparseTensorSpec, TensorSpec

if TYPE_CHECKING:
    from feedline.version import __version__

__all__ = [
    "OptionalSpec",
    "RaggedTensor",
    "RaggedTensorSpec",
    "SparseTensor",
    "SparseTensorSpec",
    "TensorSpec",
    "__version__",
    "bool",
    "complex64",
    "complex128",
    "data",
    "double",
    "dtypes",
    "errors",
    "float16",
    "float32",
    "float64",
    "half",
    "int8",
    "int16",
    "int32",
    "int64",
    "lookup",
    "ragged",
    "sparse",
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]


def __getattr__(name: str) -> Any:
    """Load what few programs need, when it is asked for: it would slow every import."""
    if name == "__version__":
        return import_module("feedline.version").__version__
    if name == "testing":
        return import_module("feedline.testing")
    raise AttributeError(f"module 'feedline' has no attribute {name!r}")
