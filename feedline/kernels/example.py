"""example: runs of serialized Examples and SequenceExamples, straight into columns.

Features that are not wanted are never looked into. Of several map entries with one name the
last that is not empty counts. Lists may lie in several pieces, packed or not, in any order,
between fields nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.wire import (
    DELIMITED,
    FIXED32,
    VARINT,
    WireError,
    fields,
    read_varint,
    signed,
)

__all__ = [
    "BROKEN",
    "BYTES",
    "FLOATS",
    "INTS",
    "MISSING",
    "NO_KIND",
    "WRONG_COUNT",
    "WRONG_KIND",
    "FeatureValues",
    "RecordError",
    "Wanted",
    "parse_examples",
    "parse_examples_twin",
    "parse_feature_lists",
    "parse_feature_lists_twin",
]

# The kinds of lists, by their field numbers in tf.train.Feature.
BYTES, FLOATS, INTS = 1, 2, 3

# What may be wrong with a record.
BROKEN, WRONG_KIND, WRONG_COUNT, MISSING, NO_KIND = 1, 2, 3, 4, 5


class Wanted(NamedTuple):
    """A feature to look for.

    ``size``: how many values every record has, or every step of a feature list; -1 for any
    number. ``required``: whether a record without it is an error.
    """

    key: bytes
    kind: int
    size: int
    required: bool


class FeatureValues(NamedTuple):
    """The values of one feature, record after record.

    ``values`` are float32, int64, or the bytes of all byte strings, which ``offsets`` tells
    apart. ``splits`` tells the values of the records apart where their number is not fixed;
    for feature lists those of steps, and ``steps`` the steps of records. ``missing`` are the
    records without the feature: they have no values, or zeros where the number is fixed.
    """

    values: NDArray[Any]
    offsets: NDArray[np.int64] | None
    splits: NDArray[np.int64] | None
    steps: NDArray[np.int64] | None
    missing: NDArray[np.int64]


class RecordError(Exception):
    """A record is not what is wanted.

    ``feature`` is the number of the wanted feature, -1 if it is none of them; ``offset`` a
    byte of the record; ``found`` the kind or the count found.
    """

    def __init__(
        self, fault: int, record: int, feature: int, offset: int, found: int, what: str
    ) -> None:
        super().__init__(fault, record, feature, offset, found, what)
        self.fault = fault
        self.record = record
        self.feature = feature
        self.offset = offset
        self.found = found
        self.what = what


class _FaultError(Exception):
    def __init__(self, fault: int, found: int) -> None:
        super().__init__(fault, found)
        self.fault = fault
        self.found = found


def parse_examples_twin(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    wanted: Sequence[Wanted],
    threads: int = 1,  # noqa: ARG001
) -> list[FeatureValues]:
    """Return the wanted features of Examples, or of the context of SequenceExamples.

    Record ``i`` is ``data[offsets[i]:offsets[i + 1]]``. Raises RecordError. Up to so many
    ``threads`` work on them, where the numbers of values are fixed; only one on the twin.

    Example:
        >>> record = bytes.fromhex("0a0c0a0a0a017812051a030a0107")  # x: the integer 7
        >>> data = np.frombuffer(record * 2, np.uint8)
        >>> (x,) = parse_examples(data, np.array([0, 14, 28]), [Wanted(b"x", INTS, 1, True)])
        >>> x.values
        array([7, 7])
    """
    columns = [_Column(one, grows=one.size < 0 or one.kind == BYTES) for one in wanted]

    def take(column: _Column, found: _Part | None) -> bool:
        has = found is not None and column.add(found)
        if not has and not column.grows:
            column.values += [0] * column.wanted.size
        column.end()
        return has

    _each(data, offsets, wanted, columns, 1, take)
    return [column.result() for column in columns]


def parse_feature_lists_twin(
    data: NDArray[np.uint8], offsets: NDArray[np.int64], wanted: Sequence[Wanted]
) -> list[FeatureValues]:
    """Return the wanted feature lists of SequenceExamples; every step is a feature.

    Raises RecordError.
    """
    columns = [_Column(one, grows=True) for one in wanted]
    for column in columns:
        column.steps = [0]

    def take(column: _Column, found: _Part | None) -> bool:
        part = found or _Part(b"", 0, 0)
        for number, wire, value, _ in fields(*part):
            if number != 1 or wire != DELIMITED:
                continue
            if not column.add(_Part(part.data, *value)) and column.wanted.size >= 0:
                raise _FaultError(NO_KIND, 0)
            column.end()
        column.steps.append(len(column.splits) - 1)
        return found is not None

    _each(data, offsets, wanted, columns, 2, take)
    return [column.result() for column in columns]


class _Part(NamedTuple):
    """Part of a record, or of a value that was put together of pieces of one."""

    data: bytes
    start: int
    stop: int


class _Column:
    """The values of one feature while they are gathered."""

    def __init__(self, wanted: Wanted, grows: bool) -> None:
        self.wanted = wanted
        self.grows = grows
        self.values: list[Any] = []
        self.splits = [0]
        self.steps: list[int] = []
        self.missing: list[int] = []

    def add(self, feature: _Part) -> bool:
        """Add the values of a feature; False if it holds no list."""
        kind, lists = 0, list[_Part]()
        for number, wire, value, _ in fields(*feature):
            if wire != DELIMITED or not 1 <= number <= 3:
                continue
            if number != kind:
                lists.clear()
            kind = number
            lists.append(_Part(feature.data, *value))
        if not kind:
            return False
        if kind != self.wanted.kind:
            raise _FaultError(WRONG_KIND, kind)
        found = [value for one in lists for value in _READERS[kind](one)]
        if self.wanted.size >= 0 and len(found) != self.wanted.size:
            raise _FaultError(WRONG_COUNT, len(found))
        self.values += found
        return True

    def end(self) -> None:
        self.splits.append(len(self.values))

    def result(self) -> FeatureValues:
        splits = np.array(self.splits, np.int64) if self.grows else None
        steps = np.array(self.steps, np.int64) if self.steps else None
        missing = np.array(self.missing, np.int64)
        if self.wanted.kind != BYTES:
            dtype = np.float32 if self.wanted.kind == FLOATS else np.int64
            return FeatureValues(np.array(self.values, dtype), None, splits, steps, missing)
        offsets = np.zeros(len(self.values) + 1, np.int64)
        np.cumsum([len(value) for value in self.values], out=offsets[1:])
        joined = np.frombuffer(bytearray(b"".join(self.values)), np.uint8)
        return FeatureValues(joined, offsets, splits, steps, missing)


def _strings(one: _Part) -> Iterable[bytes]:
    for number, wire, value, _ in fields(*one):
        if number == 1 and wire == DELIMITED:
            yield one.data[value[0] : value[1]]


def _floats(one: _Part) -> Iterable[Any]:
    for number, wire, value, _ in fields(*one):
        if number != 1 or wire not in (DELIMITED, FIXED32):
            continue
        if (value[1] - value[0]) % 4:
            raise WireError(value[0], "packed floats do not take a multiple of 4 bytes")
        yield from np.frombuffer(one.data, "<f4", (value[1] - value[0]) // 4, value[0])


def _ints(one: _Part) -> Iterable[int]:
    for number, wire, value, _ in fields(*one):
        if number == 1 and wire == VARINT:
            yield signed(value)
        elif number == 1 and wire == DELIMITED:
            at, end = value
            while at < end:
                found, at = read_varint(one.data, at, end)
                yield signed(found)


_READERS: dict[int, Callable[[_Part], Iterable[Any]]] = {
    BYTES: _strings,
    FLOATS: _floats,
    INTS: _ints,
}


def _each(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    wanted: Sequence[Wanted],
    columns: list[_Column],
    field: int,
    take: Callable[[_Column, _Part | None], bool],
) -> None:
    """Find the wanted features of each record, and take them."""
    _check(data, offsets, wanted)
    numbers = {one.key: number for number, one in enumerate(wanted)}
    bounds = offsets.tolist()
    for record in range(len(bounds) - 1):
        whole = data[bounds[record] : bounds[record + 1]].tobytes()
        feature, part = -1, None
        try:
            found = _found(whole, field, numbers)
            for feature, column in enumerate(columns):
                part = found.get(feature)
                if take(column, part):
                    continue
                if column.wanted.required:
                    raise _FaultError(MISSING, 0)
                column.missing.append(record)
        except WireError as error:
            # A value put together of pieces has no place in the record.
            offset = error.offset if part is None or part.data is whole else 0
            raise RecordError(BROKEN, record, feature, offset, 0, error.what) from None
        except _FaultError as fault:
            offset = part.start if part is not None and part.data is whole else 0
            raise RecordError(fault.fault, record, feature, offset, fault.found, "") from None


def _found(record: bytes, field: int, numbers: dict[bytes, int]) -> dict[int, _Part]:
    """Return where the wanted features of a record are."""
    found: dict[int, _Part] = {}
    for number, wire, value, _ in fields(record, 0, len(record)):
        if number != field or wire != DELIMITED:
            continue
        for number_, wire_, entry, _ in fields(record, *value):
            if number_ != 1 or wire_ != DELIMITED:
                continue
            key, part = _entry(record, *entry)
            # An empty list of steps is there; a feature that holds nothing is not.
            if key in numbers and (field == 2 or part.stop > part.start):
                found[numbers[key]] = part
    return found


def _entry(record: bytes, start: int, stop: int) -> tuple[bytes, _Part]:
    """Return key and value of an entry of a map; several pieces of a value are one."""
    key, pieces = b"", list[tuple[int, int]]()
    for number, wire, span, _ in fields(record, start, stop):
        if wire == DELIMITED and number == 1:
            key = record[span[0] : span[1]]
        elif wire == DELIMITED and number == 2:
            pieces.append(span)
    if len(pieces) < 2:
        return key, _Part(record, *(pieces[0] if pieces else (stop, stop)))
    joined = b"".join(record[a:b] for a, b in pieces)
    return key, _Part(joined, 0, len(joined)) if joined else _Part(record, stop, stop)


def _check(data: NDArray[np.uint8], offsets: NDArray[np.int64], wanted: Sequence[Wanted]) -> None:
    if len(offsets) == 0:
        raise ValueError("offsets must hold at least one number")
    if len({one.key for one in wanted}) != len(wanted):
        raise ValueError("a feature is wanted twice")
    if any(one.kind not in _READERS or one.size < -1 for one in wanted):
        raise ValueError("a feature needs a kind from 1 to 3 and a size of at least -1")
    rising = np.all(offsets[1:] >= offsets[:-1]) and offsets[0] >= 0 and offsets[-1] <= len(data)
    if not rising and len(offsets) > 1:
        raise ValueError("offsets must rise from 0 to at most the number of bytes")


def _natively(parse: Callable[..., Any]) -> Callable[..., list[FeatureValues]]:
    def parsed(
        data: NDArray[np.uint8],
        offsets: NDArray[np.int64],
        wanted: Sequence[Wanted],
        *threads: int,
    ) -> list[FeatureValues]:
        found, error = parse(np.ascontiguousarray(data), offsets, list(wanted), *threads)
        if error is not None:
            raise RecordError(*error)
        return list(starmap(FeatureValues, found))

    return parsed


parse_examples = parse_examples_twin
parse_feature_lists = parse_feature_lists_twin
if native is not None:
    parse_examples = _natively(native.parse_examples)
    parse_feature_lists = _natively(native.parse_feature_lists)
