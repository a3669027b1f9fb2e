"""csv_guess: the names and dtypes of the columns of files, read off their first records."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, Literal

import numpy as np

from feedline.errors import BuildError, check_at_least
from feedline.files import open_file, unpacked
from feedline.files.read_once import check_read_again
from feedline.spec import string

__all__ = ["Guess"]

# From the narrowest to the widest: a column gets the first that holds all of its values.
_KINDS = (
    np.dtype(np.int32),
    np.dtype(np.int64),
    np.dtype(np.float32),
    np.dtype(np.float64),
    string,
)


class Guess:
    """Files whose columns are to be guessed."""

    def __init__(
        self,
        call: str,
        files: list[str],
        packed: str,
        encoding: str | None,
        field_delim: str,
        use_quote_delim: bool,
    ) -> None:
        self._call = call
        self._files = files
        self._packed = packed
        self._encoding = encoding or "utf-8"
        self._delimiter = field_delim
        self._quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE

    def names(self) -> list[str]:
        """Return the first record of the files, which must be the same in all of them."""
        names: list[str] = []
        for number, path in enumerate(self._files):
            found = next(self._records(path), None)
            if found is None:
                raise BuildError(
                    f"{self._call}: {path} has no header to take names from: it is empty."
                )
            if number and found != names:
                raise BuildError(
                    f"{self._call}: all files must have the same header, {self._files[0]} has "
                    f"{names}, {path} has {found}."
                )
            names = found
        return names

    def defaults(
        self,
        places: Sequence[int],
        num_columns: int,
        na_value: str,
        header: bool,
        most: int | None,
    ) -> list[Any]:
        """Return a default of the guessed dtype for every column that is read.

        Args:
            places: The numbers of these columns.
            num_columns: How many there are in all.
            na_value: The text of a field that is missing.
            header: Whether the first record of every file is none.
            most: How many records to look at; None for all.
        """
        if most is not None:
            most = check_at_least(self._call, "num_rows_for_inference", most, 0)
        kinds: list[int | None] = [None] * len(places)
        for row in islice(self._rows(num_columns, header), most):
            for number, place in enumerate(places):
                if row[place] not in ("", na_value):
                    kinds[number] = _widened(row[place], kinds[number])
        dtypes = [string if kind is None else _KINDS[kind] for kind in kinds]
        return [[""] if dtype == string else np.zeros(1, dtype) for dtype in dtypes]

    def _rows(self, num_columns: int, header: bool) -> Iterator[list[str]]:
        for path in self._files:
            for number, row in enumerate(self._records(path)):
                if number == 0 and header:
                    continue
                if len(row) != num_columns:
                    raise BuildError(
                        f"{self._call}: record {number + 1} of {path} must have {num_columns} "
                        f"fields, it has {len(row)}. Give column_defaults, so that dtypes need "
                        "not be guessed, and ignore_errors=True to pass over it."
                    )
                yield row

    def _records(self, path: str) -> Iterator[list[str]]:
        check_read_again(
            path,
            "looking at what it holds would lose that. Give column_names and column_defaults, so "
            "that nothing need be guessed, or copy",
        )
        with open_file(path) as file:
            chunks = unpacked(file.chunks(), self._packed, path)
            lines = _lines(chunks, self._encoding)
            yield from csv.reader(lines, delimiter=self._delimiter, quoting=self._quoting)


def _lines(chunks: Iterator[bytes], encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    rest = ""
    for chunk in chain(chunks, [b""]):
        rest += decoder.decode(chunk, final=not chunk)
        *lines, rest = rest.split("\n")
        yield from (line + "\n" for line in lines)
    if rest:
        yield rest


def _widened(text: str, kind: int | None) -> int:
    """Return the place in _KINDS of the narrowest dtype for what was seen and for a text."""
    tests = (_is_int32, _is_int64, _is_float32, _is_float64)
    for place, test in enumerate(tests):
        if (kind is None or kind <= place) and test(text):
            return place
    return len(_KINDS) - 1


def _is_int64(text: str, least: int = -(2**63)) -> bool:
    try:
        return "_" not in text and least <= int(text) < -least
    except ValueError:
        return False


def _is_int32(text: str) -> bool:
    return _is_int64(text, -(2**31))


def _is_float64(text: str) -> bool:
    try:
        return "_" not in text and float(text) < np.inf
    except ValueError:
        return False


def _is_float32(text: str) -> bool:
    with np.errstate(over="ignore"):
        return _is_float64(text) and bool(np.float32(float(text)) < np.inf)
