"""changing: lower and upper case, and white space taken off the ends."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column
from feedline.graph.leaf_operation import leaf_operation
from feedline.strings.buffers import cut
from feedline.strings.lifted import each_of, rule_for, spec_like
from feedline.strings.texts import one_of

__all__ = ["lower", "strip", "upper"]

_SPACE = " \t\n\v\f\r"
_SPACE_BYTES = _SPACE.encode()
_IS_SPACE = np.isin(np.arange(256), list(_SPACE_BYTES))
_TABLES = {
    "lower": np.frombuffer(bytes(range(256)).lower(), np.uint8),
    "upper": np.frombuffer(bytes(range(256)).upper(), np.uint8),
}
_LETTERS = {
    "lower": {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    "upper": {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"},
}


def _cased(items: list[Any], way: str, encoding: Any) -> list[Any]:
    known = one_of(f"strings.{way}()", "encoding", encoding, ("", "utf-8"))
    change = str.lower if way == "lower" else str.upper
    if known:
        return [
            change(item)
            if isinstance(item, str)
            else change(item.decode("utf-8", "replace")).encode()
            for item in items
        ]
    if set(map(type, items)) == {bytes}:
        return list(map(bytes.lower if way == "lower" else bytes.upper, items))
    letters = _LETTERS[way]
    return [
        # Letters of other alphabets stay as they are without an encoding.
        (change(item) if item.isascii() else item.translate(letters))
        if isinstance(item, str)
        else getattr(item, way)()
        for item in items
    ]


def _cased_buffer(column: Bytes, way: str, encoding: Any) -> Column | None:
    first, last = int(column.offsets[0]), int(column.offsets[-1])
    data = column.data[first:last]
    if encoding and (data >= 128).any():
        return None
    one_of(f"strings.{way}()", "encoding", encoding, ("", "utf-8"))
    return Bytes(_TABLES[way][data], column.offsets - first)


def _lower(items: list[Any], encoding: Any = "") -> list[Any]:
    return _cased(items, "lower", encoding)


def _lower_buffer(column: Bytes, encoding: Any = "") -> Column | None:
    return _cased_buffer(column, "lower", encoding)


@leaf_operation(spec=spec_like(), columns=rule_for(_lower, _lower_buffer))
def lower(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Return strings in lower case.

    Args:
        input: Strings.
        encoding: "" changes the letters A to Z alone; "utf-8" those of every alphabet.
        name: Has no effect.

    Example:
        >>> lower("Straße ÄB"), lower("Straße ÄB", encoding="utf-8")
        ('straße Äb', 'straße äb')
    """
    return each_of("strings.lower()", _lower, input, encoding)


def _upper(items: list[Any], encoding: Any = "") -> list[Any]:
    return _cased(items, "upper", encoding)


def _upper_buffer(column: Bytes, encoding: Any = "") -> Column | None:
    return _cased_buffer(column, "upper", encoding)


@leaf_operation(spec=spec_like(), columns=rule_for(_upper, _upper_buffer))
def upper(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Return strings in upper case.

    Args:
        input: Strings.
        encoding: "" changes the letters a to z alone; "utf-8" those of every alphabet.
        name: Has no effect.

    Example:
        >>> upper([b"ab", b"c1"]).tolist()
        [b'AB', b'C1']
    """
    return each_of("strings.upper()", _upper, input, encoding)


def _strip(items: list[Any]) -> list[Any]:
    if set(map(type, items)) == {bytes}:
        return list(map(bytes.strip, items))  # which takes the same bytes for white space
    return [
        item.strip(_SPACE) if isinstance(item, str) else item.strip(_SPACE_BYTES) for item in items
    ]


def _strip_buffer(column: Bytes) -> Column:
    offsets = column.offsets
    starts, stops = offsets[:-1], offsets[1:]
    solid = np.flatnonzero(~_IS_SPACE[column.data[offsets[0] : offsets[-1]]]) + offsets[0]
    if not len(solid):
        return Bytes(column.data[:0], np.zeros_like(offsets))
    # The first and the last byte of each string that is no space, where there is one.
    before = np.searchsorted(solid, starts)
    after = np.searchsorted(solid, stops)
    some = before < after
    first: NDArray[np.int64] = np.where(some, solid[np.minimum(before, len(solid) - 1)], starts)
    last: NDArray[np.int64] = np.where(some, solid[after - 1] + 1, starts)
    return cut(column, first, last)


@leaf_operation(spec=spec_like(), columns=rule_for(_strip, _strip_buffer))
def strip(input: Any, name: str | None = None) -> Any:
    r"""Return strings without ASCII white space at both ends.

    Args:
        input: Strings.
        name: Has no effect.

    Example:
        >>> strip("  two words\n")
        'two words'
    """
    return each_of("strings.strip()", _strip, input)
