"""dtypes: TensorFlow's names for NumPy's dtypes.

They are plain ``np.dtype`` objects. There is no bfloat16: NumPy has none of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.leaf_spec import string

__all__ = [
    "bool",
    "complex64",
    "complex128",
    "double",
    "float16",
    "float32",
    "float64",
    "half",
    "int8",
    "int16",
    "int32",
    "int64",
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

DType = np.dtype[Any]

bool: DType = np.dtype(np.bool_)  # noqa: A001  (the name is the API)
complex64: DType = np.dtype(np.complex64)
complex128: DType = np.dtype(np.complex128)
float16: DType = np.dtype(np.float16)
float32: DType = np.dtype(np.float32)
float64: DType = np.dtype(np.float64)
int8: DType = np.dtype(np.int8)
int16: DType = np.dtype(np.int16)
int32: DType = np.dtype(np.int32)
int64: DType = np.dtype(np.int64)
uint8: DType = np.dtype(np.uint8)
uint16: DType = np.dtype(np.uint16)
uint32: DType = np.dtype(np.uint32)
uint64: DType = np.dtype(np.uint64)

double: DType = float64
half: DType = float16
