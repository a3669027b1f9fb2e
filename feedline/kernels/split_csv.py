"""split_csv: where the fields of comma-separated text are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = [
    "AFTER_QUOTE",
    "ESCAPED",
    "PLAIN",
    "QUOTED",
    "STRAY_QUOTE",
    "UNCLOSED",
    "CsvFields",
    "split_csv",
    "split_csv_twin",
]

PLAIN: Final = 0
QUOTED: Final = 1
ESCAPED: Final = 2  # quoted, and a pair of quotes inside stands for one
STRAY_QUOTE: Final = 3  # a quote inside a field that is not quoted
AFTER_QUOTE: Final = 4  # something after a closing quote
UNCLOSED: Final = 5  # the text ends inside quotes

_RETURN, _QUOTE = b'\r"'

# Where a field begins and ends, and its kind.
Field = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CsvFields:
    """The fields of whole records.

    Field ``i`` is the text from ``starts[i]`` to ``stops[i]``, without its quotes, and of one
    of the kinds above. Record ``r`` has the fields from ``record_splits[r]`` to the next, and
    ends, with the end of its line, at ``record_stops[r]``.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    record_splits: NDArray[np.int64]
    record_stops: NDArray[np.int64]

    @property
    def num_records(self) -> int:
        """How many records there are."""
        return len(self.record_stops)

    @property
    def num_bytes(self) -> int:
        """How much of the text the records are."""
        return int(self.record_stops[-1]) if len(self.record_stops) else 0


def split_csv_twin(
    data: NDArray[np.uint8], delimiter: int, quotes: bool, is_final: bool
) -> CsvFields:
    r"""Return the fields of every record that is whole; of all of them if ``is_final``.

    A record ends at a newline, a carriage return, or both. With ``quotes``, a field that
    begins with a quote ends at the next that is not one of a pair, and may hold anything.

    Example:
        >>> text = b'1,"a,b"\n2,c'
        >>> found = split_csv(np.frombuffer(text, np.uint8), ord(","), True, True)
        >>> [text[a:b] for a, b in zip(found.starts, found.stops)]
        [b'1', b'a,b', b'2', b'c']
        >>> found.record_splits.tolist(), found.record_stops.tolist()
        ([0, 2, 4], [8, 11])
    """
    text = data.tobytes()
    ends = re.compile(b"[\n\r" + re.escape(bytes([delimiter])) + b"]")
    fields: list[Field] = []
    splits: list[int] = [0]
    stops: list[int] = []
    at = 0
    while at < len(text):
        is_over = False
        while not is_over:
            is_quoted = quotes and text[at : at + 1] == b'"'
            field, at = _quoted(text, at, ends) if is_quoted else _plain(text, at, ends, quotes)
            may_go_on = at == len(text) or (at == len(text) - 1 and text[at] == _RETURN)
            if may_go_on and not is_final and text[at : at + 1] != bytes([delimiter]):
                del fields[splits[-1] :]
                return _fields(fields, splits, stops)
            fields.append(field)
            is_over = text[at : at + 1] != bytes([delimiter])
            at += 2 if is_over and text[at : at + 2] == b"\r\n" else at < len(text)
        splits.append(len(fields))
        stops.append(at)
    return _fields(fields, splits, stops)


def _plain(text: bytes, start: int, ends: re.Pattern[bytes], quotes: bool) -> tuple[Field, int]:
    """Return a field without quotes, and where it ends."""
    end = ends.search(text, start)
    stop = len(text) if end is None else end.start()
    is_stray = quotes and text.find(b'"', start, stop) != -1
    return (start, stop, STRAY_QUOTE if is_stray else PLAIN), stop


def _quoted(text: bytes, at: int, ends: re.Pattern[bytes]) -> tuple[Field, int]:
    """Return a field with quotes around it, and where it ends."""
    at = start = at + 1
    kind = QUOTED
    while (stop := text.find(b'"', at)) != -1:
        at = stop + 1
        if at == len(text) or ends.match(text, at):
            return (start, stop, kind), at
        if text[at] != _QUOTE:
            kind = AFTER_QUOTE
        elif kind == QUOTED:
            kind = ESCAPED
        at += 1
    return (start, len(text), AFTER_QUOTE if kind == AFTER_QUOTE else UNCLOSED), len(text)


def _fields(fields: list[Field], splits: list[int], stops: list[int]) -> CsvFields:
    table = np.array(fields, np.int64).reshape(-1, 3)
    columns = (table[:, 0].copy(), table[:, 1].copy(), table[:, 2].astype(np.uint8))
    return CsvFields(*columns, np.array(splits, np.int64), np.array(stops, np.int64))


def _split_csv(data: NDArray[np.uint8], delimiter: int, quotes: bool, is_final: bool) -> CsvFields:
    return CsvFields(*native.split_csv(data, delimiter, quotes, is_final))


split_csv = split_csv_twin if native is None else _split_csv
