"""dtypes: TensorFlow's names for NumPy's dtypes. bfloat16 needs ml_dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.namespace import open_namespace
from feedline.values.dtype import DType, as_dtype
from feedline.values.publishing import published as _published

if TYPE_CHECKING:
    from feedline.arrays.casting import cast, saturate_cast
    from feedline.arrays.casting import complex_ as complex  # noqa: A004

__all__ = [
    "DType",
    "as_dtype",
    "bool",
    "cast",
    "complex",
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
    "saturate_cast",
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

bool: DType = as_dtype("bool")  # noqa: A001  (the name is the API)
complex64: DType = as_dtype("complex64")
complex128: DType = as_dtype("complex128")
float16: DType = as_dtype("float16")
float32: DType = as_dtype("float32")
float64: DType = as_dtype("float64")
int8: DType = as_dtype("int8")
int16: DType = as_dtype("int16")
int32: DType = as_dtype("int32")
int64: DType = as_dtype("int64")
string: DType = as_dtype("string")
uint8: DType = as_dtype("uint8")
uint16: DType = as_dtype("uint16")
uint32: DType = as_dtype("uint32")
uint64: DType = as_dtype("uint64")

double: DType = float64
half: DType = float16

_ROOMS = {"arrays.casting": "cast complex saturate_cast", "values.bfloat16": "bfloat16"}

open_namespace(globals(), _ROOMS, made_public=_published)
