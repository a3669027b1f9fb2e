"""format: how comma-separated text is written, and what its columns are to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError
from feedline.leaf import ingest
from feedline.spec import string
from feedline.values.dtype import DType

__all__ = ["CsvColumn", "CsvFormat", "check_columns", "check_delimiter", "columns_of"]

_DTYPES = tuple(np.dtype(name) for name in ("float32", "float64", "int32", "int64", "object"))
# Python's own types stand for what TensorFlow makes of their values.
_PYTHON_TYPES: dict[type, np.dtype[Any]] = {
    float: np.dtype(np.float32),
    int: np.dtype(np.int32),
    str: string,
    bytes: string,
}


@dataclass(frozen=True, slots=True)
class CsvColumn:
    """The dtype of a column, and what stands for a field that is missing: None if it must not."""

    dtype: np.dtype[Any]
    default: Any

    @property
    def kind(self) -> str:
        """TensorFlow's name of the dtype."""
        return "string" if self.dtype == string else str(self.dtype)


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """How text is cut into fields, and which of them are missing."""

    delimiter: int
    quotes: bool
    na_value: bytes


def check_delimiter(call: str, field_delim: Any) -> int:
    """Return the byte between two fields."""
    given = field_delim.encode() if isinstance(field_delim, str) else field_delim
    if isinstance(given, bytes) and len(given) == 1:
        return given[0]
    raise BuildError(f"{call}: field_delim must be a single byte, got {field_delim!r}.")


def columns_of(call: str, record_defaults: Any) -> tuple[CsvColumn, ...]:
    """Return the columns a user asked for by defaults and dtypes."""
    if isinstance(record_defaults, (str, bytes)) or not isinstance(
        record_defaults, (Sequence, np.ndarray)
    ):
        raise BuildTypeError(
            f"{call}: record_defaults must be a list with a default or a dtype for every column, "
            f"got {record_defaults!r}."
        )
    if not len(record_defaults):
        raise BuildError(f"{call}: record_defaults must have an entry for every column, got none.")
    return tuple(_column(call, number, item) for number, item in enumerate(record_defaults))


def _column(call: str, number: int, item: Any) -> CsvColumn:
    if isinstance(item, type) and item in _PYTHON_TYPES:
        return CsvColumn(_PYTHON_TYPES[item], None)
    is_type = isinstance(item, type)
    if isinstance(item, (np.dtype, DType)) or (is_type and issubclass(item, np.generic)):
        return CsvColumn(_checked(call, number, np.dtype(item)), None)
    if is_type:
        raise BuildTypeError(_misfit(call, number, item))
    leaf = ingest(item)
    array = np.asarray(leaf, object if isinstance(leaf, (str, bytes)) else None)
    if array.dtype.kind in "SU":
        array = array.astype(object)
    if isinstance(item, list) and not item:
        array = array.astype(np.float32)  # as TensorFlow takes it
    dtype = _checked(call, number, array.dtype)
    if array.size > 1:
        raise BuildError(
            f"{call}: there must be one default per column at most, column {number} has "
            f"{array.size}: {item!r}."
        )
    default = array.reshape(-1)[0] if array.size else None
    if dtype == string and default is not None and not isinstance(default, (str, bytes)):
        raise BuildTypeError(_misfit(call, number, item))
    return CsvColumn(dtype, default)


def _checked(call: str, number: int, dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype not in _DTYPES:
        raise BuildTypeError(_misfit(call, number, dtype))
    return dtype


def _misfit(call: str, number: int, item: Any) -> str:
    return (
        f"{call}: columns may be float32, float64, int32, int64 or string, column {number} of "
        f"record_defaults is {item}."
    )


def check_columns(call: str, name: str, value: Any) -> tuple[int, ...] | None:
    """Return the numbers of columns, which must rise; None if none were given."""
    if value is None:
        return None
    numbers = np.asarray(value)
    if numbers.size == 0:
        return None
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise BuildTypeError(f"{call}: {name} must be a list of numbers of columns, got {value!r}.")
    if numbers.min() < 0 or np.any(np.diff(numbers) <= 0):
        raise BuildError(f"{call}: {name} must rise, from 0 on, got {numbers.tolist()}.")
    return tuple(numbers.tolist())
