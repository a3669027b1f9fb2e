"""tensor_proto: arrays in the wire format of TensorFlow's TensorProto."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildTypeError, DecodeError
from feedline.kernels.wire import DELIMITED, VARINT, WireError, fields, read_varint, signed, varint

__all__ = ["array_from", "as_tensor_proto", "header_of", "number_of"]

# TensorFlow's numbers for dtypes.
_NUMBERS: dict[Any, int] = {
    np.dtype(name): number
    for name, number in (
        *(("f4", 1), ("f8", 2), ("i4", 3), ("u1", 4), ("i2", 5), ("i1", 6), ("O", 7)),
        *(("c8", 8), ("i8", 9), ("?", 10), ("u2", 17), ("c16", 18), ("f2", 19)),
        *(("u4", 22), ("u8", 23)),
    )
}
_DTYPES = {number: dtype for dtype, number in _NUMBERS.items()}
_STRING = 7

# Fields with values one by one: their field numbers, by dtype, and how they are packed.
_FLOATS, _DOUBLES, _VARINTS = "<f4", "<f8", ""
_VALUES: dict[Any, tuple[int, str]] = {
    np.dtype("f4"): (5, _FLOATS),
    np.dtype("f8"): (6, _DOUBLES),
    **{np.dtype(name): (7, _VARINTS) for name in ("i4", "u1", "i2", "i1", "u2")},
    np.dtype("c8"): (9, _FLOATS),
    np.dtype("i8"): (10, _VARINTS),
    np.dtype("?"): (11, _VARINTS),
    np.dtype("c16"): (12, _DOUBLES),
    np.dtype("f2"): (13, _VARINTS),
    np.dtype("u4"): (16, _VARINTS),
    np.dtype("u8"): (17, _VARINTS),
}
# One value may stand for a whole array of it, which is not to be believed in any size.
_LARGEST_OF_ONE = 1 << 31


def number_of(dtype: np.dtype[Any]) -> int:
    """Return TensorFlow's number for a dtype."""
    if dtype not in _NUMBERS:
        raise BuildTypeError(f"there is no TensorProto of dtype {dtype}.")
    return _NUMBERS[dtype]


def header_of(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """Return dtype and shape as they stand before the values."""
    if dtype not in _NUMBERS:
        raise BuildTypeError(f"serialize_tensor(): there is no TensorProto of dtype {dtype}.")
    dims = [_delimited(1 << 3, varint(n)) if n else b"" for n in shape]
    inner = b"".join(varint(2 << 3 | DELIMITED) + varint(len(dim)) + dim for dim in dims)
    dtype_part = varint(1 << 3) + varint(_NUMBERS[dtype])
    return dtype_part + varint(2 << 3 | DELIMITED) + varint(len(inner)) + inner


def as_tensor_proto(array: NDArray[Any]) -> bytes:
    """Return an array of numbers, or of byte strings, in wire format."""
    header = header_of(array.dtype, array.shape)
    if array.dtype == object:
        texts = [text.encode() if isinstance(text, str) else text for text in array.ravel()]
        tag = varint(8 << 3 | DELIMITED)
        return header + b"".join(tag + varint(len(text)) + text for text in texts)
    content = array.astype(array.dtype.newbyteorder("<")).tobytes()
    if not content:
        return header
    return header + varint(4 << 3 | DELIMITED) + varint(len(content)) + content


def _delimited(tag: int, number: bytes) -> bytes:
    return varint(tag) + number


def array_from(data: bytes, wanted: np.dtype[Any] | None) -> NDArray[Any]:
    """Return the array that bytes in wire format stand for, if it has the dtype wanted, if any."""
    try:
        dtype, shape, content, values = _read(data)
    except WireError as error:
        raise DecodeError(
            f"parse_tensor(): byte {error.offset} of {len(data)}: {error.what}. It is damaged, "
            "cut short, or no TensorProto."
        ) from None
    if dtype is None:
        raise DecodeError("parse_tensor(): the TensorProto has no dtype that is known here.")
    if wanted is not None and dtype != wanted:
        raise DecodeError(
            f"parse_tensor(): the tensor has dtype {_name(dtype)}, out_type says {_name(wanted)}."
        )
    count = math.prod(shape)
    if any(length < 0 for length in shape):
        raise DecodeError(f"parse_tensor(): a shape cannot be {list(shape)}.")
    if content and dtype != object:
        if len(content) != count * dtype.itemsize:
            raise DecodeError(
                f"parse_tensor(): {len(content)} bytes do not make an array of shape "
                f"{list(shape)} and dtype {dtype}."
            )
        stored = np.frombuffer(content, dtype.newbyteorder("<"))
        return stored.astype(dtype).reshape(shape)
    return _spread(values, dtype, count).reshape(shape)


def _name(dtype: np.dtype[Any]) -> str:
    return "string" if dtype == object else str(dtype)


def _spread(values: list[Any], dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """Return ``count`` values: the last one as often as there are too few."""
    if len(values) < count and count * dtype.itemsize > _LARGEST_OF_ONE:
        raise DecodeError(
            f"parse_tensor(): {len(values)} values are to be an array of {count}, which is more "
            "than is believed."
        )
    found = np.empty(count, dtype)
    given = values[:count]
    found[: len(given)] = given
    found[len(given) :] = given[-1] if given else (b"" if dtype == object else 0)
    return found


def _read(data: bytes) -> tuple[Any, tuple[int, ...], bytes, list[Any]]:
    dtype: Any = None
    shape: tuple[int, ...] = ()
    content = b""
    # Values may stand before the dtype that says which field they are.
    spans: dict[int, list[tuple[int, Any]]] = {}
    for number, wire, value, _ in fields(data, 0, len(data)):
        if number == 1 and wire == VARINT:
            dtype = _DTYPES.get(value)
        elif number == 2 and wire == DELIMITED:
            shape += _shape(data, *value)
        elif number == 4 and wire == DELIMITED:
            content = data[value[0] : value[1]]
        else:
            spans.setdefault(number, []).append((wire, value))
    if dtype is None:
        return None, shape, content, []
    if dtype == object:
        texts = [data[v[0] : v[1]] for wire, v in spans.get(8, []) if wire == DELIMITED]
        return dtype, shape, content, texts
    number, packing = _VALUES[dtype]
    found: list[Any] = []
    for wire, value in spans.get(number, []):
        found += _values(data, wire, value, packing)
    return dtype, shape, content, _as_dtype(found, dtype)


def _shape(data: bytes, start: int, stop: int) -> tuple[int, ...]:
    lengths = []
    for number, wire, value, at in fields(data, start, stop):
        if number == 3 and wire == VARINT and value:
            raise WireError(at, "the shape is unknown")
        if number != 2 or wire != DELIMITED:
            continue
        sizes = [v for n, w, v, _ in fields(data, *value) if n == 1 and w == VARINT]
        lengths.append(signed(sizes[-1]) if sizes else 0)
    return tuple(lengths)


def _values(data: bytes, wire: int, value: Any, packing: str) -> list[Any]:
    if wire == VARINT:
        return [] if packing else [value]
    start, stop = value
    if packing:
        size = np.dtype(packing).itemsize
        if (stop - start) % size:
            raise WireError(start, f"packed numbers do not take a multiple of {size} bytes")
        numbers: list[Any] = np.frombuffer(data, packing, (stop - start) // size, start).tolist()
        return numbers
    found = []
    while start < stop:
        number, start = read_varint(data, start, stop)
        found.append(number)
    return found


def _as_dtype(values: list[Any], dtype: np.dtype[Any]) -> list[Any]:
    """Return numbers as they stand on the wire as those of a dtype; what is too large wraps."""
    if dtype.kind == "c":
        return [complex(*pair) for pair in zip(values[::2], values[1::2], strict=False)]
    if dtype.kind == "f" and dtype.itemsize > 2:
        return values
    if dtype.kind == "b":
        return [bool(value) for value in values]
    bits = np.array(values, np.uint64).astype(f"u{dtype.itemsize}")
    return list(bits.view(dtype))
