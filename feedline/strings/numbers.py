"""numbers: strings that say a number, as numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense
from feedline.errors import BuildError
from feedline.graph.leaf_operation import leaf_operation
from feedline.kernels.parse_numbers import parse_numbers
from feedline.leaf_spec import TensorSpec
from feedline.strings.lifted import each_of, form_of, rule_for, spec_of_form
from feedline.strings.texts import packed

__all__ = ["to_number"]

_TYPES = ("float32", "float64", "int32", "int64", "uint32", "uint64")
_WHOLE = re.compile(rb"[ \t\n\v\f\r]*\+?([0-9]+)[ \t\n\v\f\r]*")


def _dtype(out_type: Any) -> np.dtype[Any]:
    dtype = TensorSpec((), out_type).dtype
    if dtype.name in _TYPES:
        return dtype
    known = ", ".join(_TYPES)
    raise BuildError(f"strings.to_number(): out_type must be one of {known}, got {dtype}.")


def _to_number(items: list[Any], out_type: Any = np.float32) -> NDArray[Any]:
    return _parsed(packed(items), _dtype(out_type))


def _to_number_in_buffer(column: Bytes, out_type: Any = np.float32) -> Column:
    return Dense(_parsed(column, _dtype(out_type)))


def _parsed(column: Bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.kind == "u":
        return _unsigned(column, dtype)
    values, found = parse_numbers(
        np.ascontiguousarray(column.data),
        np.ascontiguousarray(column.offsets[:-1]),
        np.ascontiguousarray(column.offsets[1:]),
        dtype,
    )
    if not found.all():
        _refuse(column, int(np.argmin(found)), dtype)
    return values


def _unsigned(column: Bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
    most = np.iinfo(dtype).max
    values = np.zeros(len(column), dtype)
    for number, text in enumerate(column.rows()):
        found = _WHOLE.fullmatch(text)
        if found is None or len(found[1].lstrip(b"0")) > 20 or int(found[1]) > most:
            _refuse(column, number, dtype)
        else:
            values[number] = int(found[1])
    return values


def _refuse(column: Bytes, number: int, dtype: np.dtype[Any]) -> None:
    (text,) = column.slice(number, number + 1).rows()
    shown = text if len(text) <= 40 else text[:40] + b"..."
    place = f" at index {number}" if len(column) > 1 else ""
    raise BuildError(
        f"strings.to_number(): every string must say a number that is {dtype}, "
        f"got {shown.decode('utf-8', 'backslashreplace')!r}{place}."
    )


def _spec(input: Any, out_type: Any = np.float32, name: str | None = None) -> Any:
    return spec_of_form(form_of(input), _dtype(out_type))


@leaf_operation(spec=_spec, columns=rule_for(_to_number, _to_number_in_buffer))
def to_number(input: Any, out_type: Any = np.float32, name: str | None = None) -> Any:
    """Return the numbers that strings say.

    White space around a number does not count. Floats may be decimal or hexadecimal, "inf" or
    "nan"; integers are decimal and must fit.

    Args:
        input: Strings.
        out_type: float32, float64, int32, int64, uint32 or uint64.
        name: Has no effect.

    Example:
        >>> to_number(["1.5", " -2 ", "1e3"])
        array([   1.5,   -2. , 1000. ], dtype=float32)
        >>> to_number(b"42", out_type=np.int64)
        np.int64(42)
    """
    return each_of("strings.to_number()", _to_number, input, out_type)
