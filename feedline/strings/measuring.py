"""measuring: how long strings are, and parts of them by position."""

from __future__ import annotations

from itertools import pairwise, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf import as_leaf
from feedline.strings.buffers import cut
from feedline.strings.lifted import each_of, form_of, rule_for, spec_like, spec_of_form
from feedline.strings.texts import array_of_texts, as_bytes, one_of, parts_of, strings_given

__all__ = ["length", "substr"]

_UNITS = ("BYTE", "UTF8_CHAR")
# Bytes that begin a character, or stand where one should.
_BEGINS = (np.arange(256) & 0xC0) != 0x80
_CONTINUING = bytes(range(0x80, 0xC0))


# ---- length ----------------------------------------------------------------------


def _length(items: list[Any], unit: Any = "BYTE") -> NDArray[np.int32]:
    chars = one_of("strings.length()", "unit", unit, _UNITS) == "UTF8_CHAR"
    if not chars:
        return np.fromiter(map(len, as_bytes(items)), np.int32, len(items))
    counts = [len(i) if isinstance(i, str) else len(i.translate(None, _CONTINUING)) for i in items]
    return np.array(counts, np.int32)


def _length_in_buffer(column: Bytes, unit: Any = "BYTE") -> Column:
    offsets = column.offsets
    if one_of("strings.length()", "unit", unit, _UNITS) == "BYTE":
        return Dense(np.diff(offsets).astype(np.int32))
    begun = np.zeros(int(offsets[-1] - offsets[0]) + 1, np.int64)
    np.cumsum(_BEGINS[column.data[offsets[0] : offsets[-1]]], out=begun[1:])
    return Dense(np.diff(begun[offsets - offsets[0]]).astype(np.int32))


@leaf_operation(spec=spec_like(np.int32), columns=rule_for(_length, _length_in_buffer))
def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """Return how long strings are, as int32.

    Args:
        input: Strings.
        unit: "BYTE" counts the bytes of UTF-8, also of a ``str``; "UTF8_CHAR" counts
            characters.
        name: Has no effect.

    Example:
        >>> length("héé"), length("héé", unit="UTF8_CHAR")
        (np.int32(5), np.int32(3))
    """
    return each_of("strings.length()", _length, input, unit)


# ---- substr ----------------------------------------------------------------------


def _substr(items: list[Any], pos: Any, len: Any, unit: Any = "BYTE") -> list[Any]:
    """Cut all strings alike; ``pos`` and ``len`` are single numbers."""
    start, count = _whole("pos", pos), _whole("len", len)
    if np.ndim(start) or np.ndim(count):
        raise NotImplementedError
    chars = one_of("strings.substr()", "unit", unit, _UNITS) == "UTF8_CHAR"
    return [_part(item, int(start), int(count), chars, number) for number, item in enumerate(items)]


def _substr_in_buffer(column: Bytes, pos: Any, len: Any, unit: Any = "BYTE") -> Column | None:
    start, count = _whole("pos", pos), _whole("len", len)
    if np.ndim(start) or np.ndim(count):
        return None
    data = column.data[column.offsets[0] : column.offsets[-1]]
    if one_of("strings.substr()", "unit", unit, _UNITS) == "UTF8_CHAR":
        if (data >= 128).any():
            return None
        count = max(int(count), 0)
    lengths = np.diff(column.offsets)
    if (lengths < (start if start >= 0 else -start)).any():
        return None  # the elements one by one find out which of them
    first = column.offsets[:-1] + (start if start >= 0 else lengths + start)
    last = column.offsets[1:]
    return cut(column, first, np.minimum(first + count, last) if count >= 0 else last)


def _spec_of_substr(input: Any, pos: Any, *_args: Any, **_kwargs: Any) -> Any:
    return spec_of_form(_broadcast_form(input, pos), object)


@leaf_operation(spec=_spec_of_substr, columns=rule_for(_substr, _substr_in_buffer))
def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """Return the part of each string that begins at ``pos`` and is at most ``len`` long.

    Args:
        input: Strings.
        pos: Where to begin; from the end if it is negative. One number, or an array that
            broadcasts with ``input``.
        len: How much to take at most, in the shape of ``pos``. With unit="BYTE" a negative
            one takes all there is.
        unit: "BYTE" or "UTF8_CHAR". Bytes of a ``str`` are those of UTF-8; a part that
            begins or ends inside a character is an error.
        name: Has no effect.

    Example:
        >>> substr(["hello", "world"], 1, 3).tolist()
        ['ell', 'orl']
    """
    texts = strings_given("strings.substr()", input)
    start, count = _whole("pos", pos), _whole("len", len)
    if np.shape(start) != np.shape(count):
        raise BuildError(
            "strings.substr(): pos and len must have the same shape, "
            f"got {list(np.shape(start))} and {list(np.shape(count))}."
        )
    if not np.ndim(start):
        items, put = parts_of(texts)
        return put(_substr(items, start, count, unit))
    return _substr_broadcast(texts, start, count, unit)


def _substr_broadcast(texts: Any, start: Any, count: Any, unit: Any) -> Any:
    chars = one_of("strings.substr()", "unit", unit, _UNITS) == "UTF8_CHAR"
    if not isinstance(texts, (str, bytes, np.ndarray)):
        raise BuildTypeError(
            "strings.substr(): with a RaggedTensor pos and len must be single numbers."
        )
    held = texts if isinstance(texts, np.ndarray) else array_of_texts([texts])[0:1].reshape(())
    try:
        lined_up = np.broadcast_arrays(held, start, count)
    except ValueError:
        raise BuildError(
            f"strings.substr(): pos of shape {list(np.shape(start))} does not broadcast with "
            f"input of shape {list(np.shape(held))}."
        ) from None
    flat = [array.ravel().tolist() for array in lined_up]
    parts = [
        _part(item, first, most, chars, number)
        for number, (item, first, most) in enumerate(zip(*flat, strict=True))
    ]
    return array_of_texts(parts).reshape(lined_up[0].shape)


def _broadcast_form(texts: Any, pos: Any) -> Any:
    shape, ragged = form_of(texts)
    places, _ = form_of(pos)
    if ragged or shape is None or not places:
        return shape, ragged
    pairs = list(zip_longest(reversed(shape), reversed(places), fillvalue=1))
    return tuple(_broadcast_length(*pair) for pair in reversed(pairs)), 0


def _broadcast_length(one: int | None, other: int | None) -> int | None:
    if one == 1 or other == 1:
        return other if one == 1 else one
    return other if one is None else one


def _whole(name: str, value: Any) -> Any:
    leaf = as_leaf(value)
    if isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.kind in "iu":
        return leaf
    raise BuildTypeError(f"strings.substr(): {name} must be integers, got {value!r}.")


def _part(item: Any, start: int, count: int, chars: bool, number: int) -> Any:
    whole: Any = item
    if chars and isinstance(item, bytes) and not item.isascii():
        return b"".join(_taken(_characters(item), start, max(count, 0), number, item))
    if chars:
        return _taken(whole, start, max(count, 0), number, item)
    if isinstance(item, bytes) or item.isascii():
        return _taken(whole, start, count, number, item)
    part = _taken(item.encode(), start, count, number, item)
    try:
        return part.decode()
    except UnicodeDecodeError:
        raise BuildError(
            f"strings.substr(): bytes {start} to {start + len(part)} of {item!r} at index {number} "
            "begin or end inside a character, and a str cannot hold that. "
            'Use unit="UTF8_CHAR", or bytes.'
        ) from None


def _taken(whole: Any, start: int, count: int, number: int, item: Any) -> Any:
    size = len(whole)
    if not -size <= start <= size:
        raise BuildError(
            f"strings.substr(): pos must be from {-size} to {size} in the string at index "
            f"{number}, {item!r}, got {start}."
        )
    first = start if start >= 0 else size + start
    return whole[first:] if count < 0 else whole[first : first + count]


def _characters(item: bytes) -> list[bytes]:
    """Return bytes cut before every byte that is not the continuation of a character."""
    begins = np.flatnonzero(_BEGINS[np.frombuffer(item, np.uint8)]).tolist()
    # What comes before the first such byte belongs to no character, as in TensorFlow.
    bounds = [*begins, len(item)]
    return [item[a:b] for a, b in pairwise(bounds)]
