"""scalars: the three kinds of values a list in a message may hold, checked and encoded."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from struct import Struct, pack, unpack
from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError
from feedline.kernels.messages import float_list, int64_list, repeated_field, unpacked_ints
from feedline.kernels.wire import DELIMITED, FIXED32, VARINT, WireError, read_varint, signed, varint

__all__ = ["BYTES", "FLOAT", "INT64", "MOST_WRITTEN", "Scalar", "only_field"]

# Messages up to this size are kept as bytes, and copied from one into the next as such.
MOST_WRITTEN = 1 << 14

# For as many numbers an array is not worth its while.
_FEW = 16


@dataclass(frozen=True)
class Scalar:
    """How values of one kind come in, go out and are written as text."""

    name: str
    checked: Callable[[str, Iterable[Any]], list[Any]]
    """Values that a user gave, as they are kept; the name of the field is for the error."""
    encoded: Callable[[int, list[Any]], bytes]
    """A field with a number, in protobuf's packed form where there is one."""
    decoded: Callable[[bytes, int, Any, int], list[Any] | None]
    """The values of one field on the wire; None if it is not of this kind."""
    text: Callable[[Any], str]
    one: Callable[[Any], Any]
    """A single value as it is kept; None if it must be looked at more closely."""
    written: Callable[[Any], bytes | None]
    """A whole list as field 1; None if it must be looked at more closely."""
    opened: Callable[[bytes], list[Any] | None]
    """The values of a message that was written so; None if it was not."""


def only_field(wire: bytes) -> bytes | None:
    """Return the bytes of a field that is all there is in a message; None if it is not."""
    size, at = wire[1], 2
    if size > 0x7F:
        size, at = read_varint(wire, 1, len(wire))
    return wire[at:] if size == len(wire) - at else None


def _wrong(field: str, value: Any, wanted: str, hint: str = "") -> BuildTypeError:
    return BuildTypeError(
        f"{field} must hold {wanted}, got {value!r} of type {type(value).__name__}. {hint}".rstrip()
    )


# ---- bytes ------------------------------------------------------------------------


def _checked_bytes(field: str, values: Iterable[Any]) -> list[Any]:
    if isinstance(values, (bytes, str)):
        raise _wrong(field, values, "a list of bytes", "Put it in a list: [value].")
    found = list(values.tolist() if isinstance(values, np.ndarray) else values)
    for value in found:
        if not isinstance(value, bytes):
            hint = "Encode it: value.encode()." if isinstance(value, str) else ""
            raise _wrong(field, value, "bytes", hint)
    return [bytes(value) for value in found]


def _encoded_bytes(number: int, values: list[Any]) -> bytes:
    tag = varint(number << 3 | DELIMITED)
    return b"".join([part for v in values for part in (tag, varint(len(v)), v)])


def _decoded_bytes(data: bytes, wire: int, value: Any, _at: int) -> list[Any] | None:
    return [bytes(data[value[0] : value[1]])] if wire == DELIMITED else None


def _one_bytes(value: Any) -> Any:
    return value if type(value) is bytes else None


def _written_bytes(values: Any) -> bytes | None:
    if type(values) is not list or not set(map(type, values)) <= {bytes}:
        return None
    # What is large is not copied from message to message.
    return _encoded_bytes(1, values) if sum(map(len, values)) <= MOST_WRITTEN else None


_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


def _text_of_bytes(value: bytes) -> str:
    shown = (_ESCAPES.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in value)
    return '"' + "".join(shown) + '"'


# ---- float ------------------------------------------------------------------------


def _checked_floats(field: str, values: Iterable[Any]) -> list[Any]:
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "fiub":
        found: Any = values
    else:
        found = []
        for value in _each(field, values, "a list of numbers"):
            if isinstance(value, (str, bytes, np.ndarray)) or not hasattr(value, "__float__"):
                hint = "Flatten the array." if isinstance(value, np.ndarray) else ""
                if not hasattr(value, "__index__") or isinstance(value, np.ndarray):
                    raise _wrong(field, value, "numbers", hint)
            found.append(float(value))
    if len(found) <= _FEW:
        try:
            return list(unpack(f"<{len(found)}f", pack(f"<{len(found)}f", *found)))
        except OverflowError:
            pass
    with np.errstate(over="ignore"):  # as protobuf: what is too large is infinite
        floats: list[Any] = np.asarray(found, np.float32).tolist()
    return floats


def _encoded_floats(number: int, values: list[Any]) -> bytes:
    if not values:
        return b""
    few = len(values) <= _FEW
    packed = pack(f"<{len(values)}f", *values) if few else np.asarray(values, "<f4").tobytes()
    return varint(number << 3 | DELIMITED) + varint(len(packed)) + packed


def _decoded_floats(data: bytes, wire: int, value: Any, at: int) -> list[Any] | None:
    if wire not in (DELIMITED, FIXED32):
        return None
    start, stop = value
    if (stop - start) % 4:
        raise WireError(at, f"packed floats take a multiple of 4 bytes, not {stop - start}")
    floats: list[Any] = np.frombuffer(data, "<f4", (stop - start) // 4, start).tolist()
    return floats


_SINGLE = Struct("<f")


def _one_float(value: Any) -> Any:
    if type(value) is not float:
        return None
    try:
        return _SINGLE.unpack(_SINGLE.pack(value))[0]
    except OverflowError:
        return None


def _written_floats(values: Any) -> bytes | None:
    if type(values) is list:
        return float_list(values) if len(values) <= MOST_WRITTEN // 4 else None
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "fiub":
        with np.errstate(over="ignore"):
            packed = values.astype("<f4").tobytes()
        few = 0 < len(packed) <= MOST_WRITTEN
        return b"\x0a" + varint(len(packed)) + packed if few else None
    return None


def _opened_floats(wire: bytes) -> list[Any] | None:
    packed = only_field(wire)
    if packed is None or len(packed) % 4:
        return None
    if len(packed) <= 4 * _FEW:
        return list(unpack(f"<{len(packed) // 4}f", packed))
    floats: list[Any] = np.frombuffer(packed, "<f4").tolist()
    return floats


def _text_of_float(value: float) -> str:
    """Return the shorter of two ways to write a float32, if it is exact, as protobuf does."""
    short = f"{value:.6g}"
    return short if np.float32(short) == np.float32(value) or value != value else f"{value:.9g}"


# ---- int64 ------------------------------------------------------------------------


def _checked_ints(field: str, values: Iterable[Any]) -> list[Any]:
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu":
        found: list[Any] = values.tolist()
    else:
        found = []
        for value in _each(field, values, "a list of integers"):
            if isinstance(value, (bool, np.bool_)):
                raise _wrong(field, value, "integers", "Write int(value).")
            try:
                found.append(operator.index(value))
            except TypeError:
                hint = "Write int(value)." if hasattr(value, "__float__") else ""
                raise _wrong(field, value, "integers", hint) from None
    for value in found:
        if not -(1 << 63) <= value < 1 << 63:
            raise BuildError(f"{field} must hold integers of 64 bits with sign, got {value}.")
    return found


def _encoded_ints(number: int, values: list[Any]) -> bytes:
    found = int64_list(values) if number == 1 else None
    if found is not None or not values:
        return found or b""
    packed = b"".join(map(varint, values))
    return varint(number << 3 | DELIMITED) + varint(len(packed)) + packed


def _decoded_ints(data: bytes, wire: int, value: Any, _at: int) -> list[Any] | None:
    if wire == VARINT:
        return [signed(value)]
    if wire != DELIMITED:
        return None
    at, end = value
    at_once: list[Any] | None = unpacked_ints(data[at:end])
    if at_once is not None:
        return at_once
    found = []
    while at < end:
        number, at = read_varint(data, at, end)
        found.append(signed(number))
    return found


def _one_int(value: Any) -> Any:
    return value if type(value) is int and -(1 << 63) <= value < 1 << 63 else None


def _written_ints(values: Any) -> bytes | None:
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu":
        values = values.tolist()
    if type(values) is not list or len(values) > MOST_WRITTEN // 10:
        return None
    found: bytes | None = int64_list(values)
    return found


def _opened_ints(wire: bytes) -> list[Any] | None:
    packed = only_field(wire)
    return None if packed is None else unpacked_ints(packed)


def _each(field: str, values: Any, wanted: str) -> Iterator[Any]:
    try:
        found: Iterator[Any] = iter(values)
    except TypeError:
        raise _wrong(field, values, wanted, "Put it in a list: [value].") from None
    return found


BYTES = Scalar(
    "bytes",
    _checked_bytes,
    _encoded_bytes,
    _decoded_bytes,
    _text_of_bytes,
    _one_bytes,
    _written_bytes,
    repeated_field,
)
FLOAT = Scalar(
    "float",
    _checked_floats,
    _encoded_floats,
    _decoded_floats,
    _text_of_float,
    _one_float,
    _written_floats,
    _opened_floats,
)
INT64 = Scalar(
    "int64",
    _checked_ints,
    _encoded_ints,
    _decoded_ints,
    str,
    _one_int,
    _written_ints,
    _opened_ints,
)
