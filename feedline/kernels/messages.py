"""messages: tf.train's messages as bytes, without an object for every field.

A message is canonical if it is written exactly as it would be written again after it was read:
no field that is not known, none twice, in the order of their numbers, lists packed, numbers no
longer than need be. Such bytes stand for the message as well as objects do.
"""

from __future__ import annotations

import struct
from typing import Any

from feedline.kernels.native import native
from feedline.kernels.wire import DELIMITED, WireError, fields, read_varint, signed, varint

__all__ = [
    "KINDS",
    "float_list",
    "float_list_twin",
    "int64_list",
    "int64_list_twin",
    "is_canonical",
    "is_canonical_twin",
    "map_entries",
    "map_entries_twin",
    "repeated_field",
    "repeated_field_twin",
    "unpacked_ints",
    "unpacked_ints_twin",
]

KINDS = {
    name: number
    for number, name in enumerate(
        [
            "BytesList",
            "FloatList",
            "Int64List",
            "Feature",
            "Features",
            "Example",
            "FeatureList",
            "FeatureLists",
            "SequenceExample",
        ]
    )
}
"""How the kernels call the messages."""

_BYTES, _FLOATS, _INTS, _FEATURE, _FEATURES, _EXAMPLE, _LIST, _LISTS, _SEQUENCE = range(9)
# What the messages are made of that have at most one of each field, by its number.
_PARTS = {
    _FEATURE: {1: _BYTES, 2: _FLOATS, 3: _INTS},
    _EXAMPLE: {1: _FEATURES},
    _SEQUENCE: {1: _FEATURES, 2: _LISTS},
}


def is_canonical_twin(data: bytes, kind: int) -> bool:
    """Whether bytes are a canonical message of one of ``KINDS``.

    Example:
        >>> is_canonical(b"", KINDS["Example"]), is_canonical(b"?", KINDS["Example"])
        (True, False)
    """
    if not 0 <= kind <= _SEQUENCE:
        raise ValueError("there is no such kind of message")
    if kind in _PARTS:
        found = _parts(data)
        if found is None or (kind == _FEATURE and len(found) > 1):
            return False
        numbers = [number for number, _ in found]
        return numbers == sorted(set(numbers)) and all(
            number in _PARTS[kind] and is_canonical_twin(part, _PARTS[kind][number])
            for number, part in found
        )
    if kind in (_FEATURES, _LISTS):
        entries = map_entries_twin(data)
        inner = _FEATURE if kind == _FEATURES else _LIST
        return entries is not None and all(is_canonical_twin(e, inner) for e in entries.values())
    values = repeated_field_twin(data)
    if values is None:
        return False
    if kind in (_BYTES, _LIST):
        return kind == _BYTES or all(is_canonical_twin(value, _FEATURE) for value in values)
    if len(values) > 1 or values == [b""]:
        return False
    if kind == _FLOATS:
        return not values or len(values[0]) % 4 == 0
    return not values or unpacked_ints_twin(values[0]) is not None


def _parts(data: bytes) -> list[tuple[int, bytes]] | None:
    """Return the fields of a message, all of which must have a length, none longer than needed."""
    try:
        found = [(n, data[v[0] : v[1]]) for n, w, v, _ in fields(data, 0, len(data)) if w == 2]
    except WireError:
        return None
    again = b"".join(varint(n << 3 | DELIMITED) + varint(len(part)) + part for n, part in found)
    return found if again == data else None


def repeated_field_twin(data: bytes) -> list[bytes] | None:
    r"""Return the values of a message that is field 1, repeated; None if it is something else.

    Example:
        >>> repeated_field(b"\x0a\x01a\x0a\x02bc")
        [b'a', b'bc']
    """
    found = _parts(data)
    if found is None or any(number != 1 for number, _ in found):
        return None
    return [part for _, part in found]


def map_entries_twin(data: bytes) -> dict[str, bytes] | None:
    r"""Return the names and values of a message that is a map; None if it is something else.

    Example:
        >>> map_entries(b"\x0a\x05\x0a\x01k\x12\x00")
        {'k': b''}
    """
    made = {}
    entries = repeated_field_twin(data)
    for entry in entries or []:
        parts = _parts(entry)
        if parts is None or [number for number, _ in parts] != [1, 2]:
            return None
        try:
            made[parts[0][1].decode()] = parts[1][1]
        except UnicodeDecodeError:
            return None
    return made if entries is not None and len(made) == len(entries) else None


def float_list_twin(values: list[Any]) -> bytes | None:
    """Return a FloatList of Python's floats and integers; None if there is anything else.

    Example:
        >>> float_list([0.5]).hex(), float_list(["0.5"])
        ('0a040000003f', None)
    """
    if not all(type(value) in (float, int) for value in values):
        return None
    try:
        return _packed(struct.pack(f"<{len(values)}f", *values))
    except (OverflowError, struct.error):  # what is too large is infinite
        try:
            return _packed(b"".join(map(_rounded, map(float, values))))
        except OverflowError:  # of an integer that is no float at all
            return None


def _rounded(value: float) -> bytes:
    try:
        return struct.pack("<f", value)
    except OverflowError:
        return struct.pack("<f", float("inf") if value > 0 else float("-inf"))


def int64_list_twin(values: list[Any]) -> bytes | None:
    """Return an Int64List of Python's integers of 64 bits; None if there is anything else.

    Example:
        >>> int64_list([300]).hex(), int64_list([1 << 63])
        ('0a02ac02', None)
    """
    if not all(type(value) is int and -(1 << 63) <= value < 1 << 63 for value in values):
        return None
    return _packed(b"".join(map(varint, values)))


def _packed(body: bytes) -> bytes:
    return b"\x0a" + varint(len(body)) + body if body else b""


def unpacked_ints_twin(packed: bytes) -> list[int] | None:
    r"""Return the integers of an Int64List's field; None if one is broken or too long.

    Example:
        >>> unpacked_ints(b"\x01\xac\x02")
        [1, 300]
    """
    found = []
    at = 0
    while at < len(packed):
        try:
            number, stop = read_varint(packed, at, len(packed))
        except WireError:
            return None
        if packed[at:stop] != varint(number):
            return None
        found.append(signed(number))
        at = stop
    return found


is_canonical = is_canonical_twin if native is None else native.is_canonical
repeated_field = repeated_field_twin if native is None else native.repeated_field
map_entries = map_entries_twin if native is None else native.map_entries
float_list = float_list_twin if native is None else native.float_list
int64_list = int64_list_twin if native is None else native.int64_list
unpacked_ints = unpacked_ints_twin if native is None else native.unpacked_ints
