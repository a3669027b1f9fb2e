"""decode_raw: the bytes of strings as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense, Objects, Ragged
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError, check_at_least
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.numpy_view import ScalarType
from feedline.kernels.pad_rows import pad_rows
from feedline.leaf_spec import TensorSpec
from feedline.strings.lifted import form_of
from feedline.strings.texts import as_bytes, is_text, packed, parts_of, strings_given

__all__ = ["decode_raw"]

_CALL = "decode_raw()"


def decode_raw(
    input_bytes: Any,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: int | None = None,
    name: str | None = None,
) -> Any:
    """Return the bytes of each string as a vector of numbers.

    Args:
        input_bytes: Byte strings. Those of an array must be equally long, unless fixed_length
            is given.
        out_type: The dtype of the numbers.
        little_endian: Whether their first byte is the lowest.
        fixed_length: As many bytes are taken of each string, and zeros where there are fewer.
        name: Has no effect.

    Example:
        >>> decode_raw([b"ab", b"cd"], np.uint8).tolist()
        [[97, 98], [99, 100]]
    """
    dtype = np.dtype(out_type.dtype if isinstance(out_type, ScalarType) else out_type)
    if dtype.kind not in "biufc":
        raise BuildTypeError(f"{_CALL}: out_type must be a dtype of numbers, got {dtype}.")
    if fixed_length is not None:
        fixed_length = check_at_least(_CALL, "fixed_length", fixed_length, 1)
        if fixed_length % dtype.itemsize:
            raise BuildError(
                f"{_CALL}: fixed_length must be a multiple of the {dtype.itemsize} bytes of "
                f"{dtype}, got {fixed_length}."
            )
    return _decoded(input_bytes, dtype, bool(little_endian), fixed_length)


def _spec(strings: Any, dtype: np.dtype[Any], little_endian: bool, fixed: int | None) -> Any:
    shape, _ = form_of(strings)
    length = None if fixed is None else fixed // dtype.itemsize
    return TensorSpec(None if shape is None else (*shape, length), dtype)


def _columns(
    column: Any, dtype: np.dtype[Any], little_endian: bool, fixed: int | None
) -> Sequence[Column]:
    if isinstance(column, Objects) and all(map(is_text, column.items)):
        column = packed(column.items)
    if not isinstance(column, Bytes):
        raise NotImplementedError  # arrays of strings are many numbers each as it is
    first, last = int(column.offsets[0]), int(column.offsets[-1])
    data, offsets = column.data[first:last], column.offsets - first
    lengths = np.diff(offsets)
    if fixed is not None:
        padded = _cut(data, offsets, fixed)
        shape = len(column), fixed // dtype.itemsize
        return [Dense(_numbers(padded.tobytes(), dtype, little_endian).reshape(shape))]
    if np.any(lengths % dtype.itemsize):
        raise NotImplementedError  # the one that is too long has its error to itself
    return [Ragged(_numbers(data.tobytes(), dtype, little_endian), offsets // dtype.itemsize)]


def _cut(data: NDArray[np.uint8], offsets: NDArray[np.int64], fixed: int) -> NDArray[np.uint8]:
    """Return as many bytes of each string, zeros where there are fewer."""
    lengths = np.diff(offsets)
    if np.any(lengths > fixed):
        places = offsets[:-1, None] + np.arange(fixed)
        there = np.arange(fixed) < lengths[:, None]
        return np.where(there, data[np.minimum(places, len(data) - 1)], np.uint8(0))
    return pad_rows(data, offsets, fixed, 0)


@leaf_operation(spec=_spec, columns=_columns)
def _decoded(
    strings: Any, dtype: np.dtype[Any], little_endian: bool, fixed: int | None
) -> NDArray[Any]:
    given = strings_given(_CALL, strings, "input_bytes")
    texts = as_bytes(parts_of(given)[0])
    if fixed is not None:
        texts = [text[:fixed].ljust(fixed, b"\0") for text in texts]
    lengths = {len(text) for text in texts} or {0}
    if len(lengths) > 1:
        raise InvalidArgumentError(
            f"{_CALL}: the strings of an array must be equally long, got lengths from "
            f"{min(lengths)} to {max(lengths)}. Give fixed_length."
        )
    (length,) = lengths
    if length % dtype.itemsize:
        raise InvalidArgumentError(
            f"{_CALL}: {length} bytes are not a multiple of the {dtype.itemsize} of {dtype}."
        )
    numbers = _numbers(b"".join(texts), dtype, little_endian)
    return numbers.reshape(*np.shape(given), length // dtype.itemsize)


_decoded.__name__ = "decode_raw"


def _numbers(data: bytes, dtype: np.dtype[Any], little_endian: bool) -> NDArray[Any]:
    """Return bytes as numbers, in memory of their own."""
    if dtype == np.bool_:
        flags: NDArray[Any] = np.frombuffer(data, np.uint8) != 0
        return flags
    found: NDArray[Any] = np.frombuffer(data, dtype.newbyteorder("<" if little_endian else ">"))
    return found.astype(dtype)
