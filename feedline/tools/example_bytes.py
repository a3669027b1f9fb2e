"""example_bytes: tf.train.Examples written without a message for every feature."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from feedline.kernels.messages import float_list, int64_list
from feedline.kernels.wire import varint

__all__ = ["FLOAT", "INT", "TEXT", "Values", "example_bytes"]

# The kinds of lists, by their field numbers in tf.train.Feature.
TEXT, FLOAT, INT = 1, 2, 3

Values = tuple[int, Sequence[Any]]
"""A kind, and values of that kind."""


def example_bytes(features: Mapping[str, Values]) -> bytes:
    """Return a serialized Example.

    Example:
        >>> from feedline.train import Example
        >>> record = example_bytes({"label": (INT, [7]), "name": (TEXT, [b"x"])})
        >>> Example.FromString(record).features.feature["label"].int64_list.value
        [7]
    """
    entries = []
    for name, (kind, values) in features.items():
        key = name.encode()
        inner = _list(kind, values)
        feature = bytes([kind << 3 | 2]) + _sized(inner)
        entries.append(b"\x0a" + _sized(b"\x0a" + _sized(key) + b"\x12" + _sized(feature)))
    return b"\x0a" + _sized(b"".join(entries))


def _list(kind: int, values: Sequence[Any]) -> bytes:
    if kind == TEXT:
        return b"".join(b"\x0a" + _sized(value) for value in values)
    if not len(values):
        return b""
    # Python's own numbers in a list, which is nearly always so, are written at once.
    write = float_list if kind == FLOAT else int64_list
    at_once: bytes | None = write(values) if type(values) is list else None
    if at_once is not None:
        return at_once
    if kind == FLOAT:
        return b"\x0a" + _sized(struct.pack(f"<{len(values)}f", *values))
    return b"\x0a" + _sized(b"".join(map(_integer, values)))


def _integer(value: int) -> bytes:
    return _SHORT[value] if 0 <= value < 128 else varint(value)


def _sized(data: bytes) -> bytes:
    size = len(data)
    return (_SHORT[size] if size < 128 else varint(size)) + data


_SHORT = [bytes([number]) for number in range(128)]
