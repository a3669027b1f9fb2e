"""wire: protobuf's wire format, one field after the other. No length in it is believed.

The reading half is also the specification of what the native parsers accept: unknown fields
of every kind are gone past, groups included, and anything cut short or too long is an error
at a byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = [
    "DELIMITED",
    "FIXED32",
    "FIXED64",
    "MOST_GROUPS",
    "VARINT",
    "WireError",
    "fields",
    "read_varint",
    "signed",
    "varint",
]

VARINT, FIXED64, DELIMITED, _GROUP, _END_GROUP, FIXED32 = range(6)
# How deep groups may nest: as deep as protobuf's own parsers go.
MOST_GROUPS = 100


class WireError(Exception):
    """Bytes that are no message; ``offset`` counts from the start of what was read."""

    def __init__(self, offset: int, what: str) -> None:
        super().__init__(f"byte {offset}: {what}")
        self.offset = offset
        self.what = what


def varint(number: int) -> bytes:
    """Return an integer as a varint, a negative one in ten bytes.

    Example:
        >>> list(varint(300)), len(varint(-1))
        ([172, 2], 10)
    """
    if 0 <= number < 0x80:
        return _SMALL[number]
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


_SMALL = [bytes([number]) for number in range(0x80)]


def signed(number: int) -> int:
    """Return 64 bits as a signed integer."""
    return number - (1 << 64) if number >> 63 else number


def read_varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the 64 bits of a varint, and where it ends."""
    found, start = 0, at
    for shift in range(0, 70, 7):
        if at >= end:
            raise WireError(start, "a number is cut short")
        byte = data[at]
        at += 1
        found |= (byte & 0x7F) << shift
        if byte < 0x80:
            return found & (1 << 64) - 1, at
    raise WireError(start, "a number has more than ten bytes")


def fields(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, Any, int]]:
    """Yield ``(number, wire type, value, where it begins)`` for the fields between two bytes.

    A varint's value is its 64 bits; that of everything else a pair: where its bytes begin
    and end. Groups, which no message here has, are gone past.
    """
    at = start
    while at < end:
        tag_at = at
        number, wire, at = _read_tag(data, at, end)
        if wire == VARINT:
            value: Any
            value, at = read_varint(data, at, end)
        elif wire == _GROUP:
            at = _after_group(data, at, end, number)
            continue
        else:
            value = _span(data, at, end, wire, tag_at)
            at = value[1]
        yield number, wire, value, tag_at


def _read_tag(data: bytes, at: int, end: int) -> tuple[int, int, int]:
    start = at
    tag, at = read_varint(data, at, end)
    if tag >> 32 or not tag >> 3:
        raise WireError(start, f"there is no field number {tag >> 3}")
    return tag >> 3, tag & 7, at


def _span(data: bytes, at: int, end: int, wire: int, tag_at: int) -> tuple[int, int]:
    if wire == DELIMITED:
        length_at = at
        length, at = read_varint(data, at, end)
        if length > end - at:
            raise WireError(length_at, f"{length} bytes are announced, {end - at} are left")
        return at, at + length
    size = {FIXED64: 8, FIXED32: 4}.get(wire)
    if size is None:
        raise WireError(tag_at, f"wire type {wire} where a field should begin")
    if size > end - at:
        raise WireError(at, f"{size} bytes are needed, {end - at} are left")
    return at, at + size


def _after_group(data: bytes, at: int, end: int, number: int) -> int:
    start, still_open = at, [number]
    while still_open:
        if at >= end:
            raise WireError(start, f"group {number} does not end")
        tag_at = at
        found, wire, at = _read_tag(data, at, end)
        if wire == _END_GROUP:
            if still_open.pop() != found:
                raise WireError(tag_at, f"group {found} ends inside another")
        elif wire == _GROUP:
            if len(still_open) >= MOST_GROUPS:
                raise WireError(tag_at, f"more than {MOST_GROUPS} groups in one another")
            still_open.append(found)
        elif wire == VARINT:
            _, at = read_varint(data, at, end)
        else:
            at = _span(data, at, end, wire, tag_at)[1]
    return at
