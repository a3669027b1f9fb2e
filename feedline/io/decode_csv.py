"""decode_csv: strings that hold a record each, as columns of numbers and strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column
from feedline.csv.columns import Fields, field_failure, typed_column
from feedline.csv.format import (
    CsvColumn,
    CsvFormat,
    check_columns,
    check_delimiter,
    columns_of,
)
from feedline.csv.table import TableReader
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.graph.leaf_operation import leaf_operation
from feedline.kernels.split_csv import ESCAPED, split_csv
from feedline.strings.lifted import check_constant, form_of, spec_of_form
from feedline.strings.texts import column_parts, parts_of, strings_given

__all__ = ["decode_csv"]

_CALL = "decode_csv()"
_NEWLINE, _RETURN, _QUOTE = b'\n\r"'


def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str | bytes = "",
    select_cols: Any = None,
    name: str | None = None,
) -> list[Any]:
    """Return a list with one array per column, shaped like ``records``.

    In ``map()`` a whole block of records is decoded at once. Fields of ``str`` are ``str``.

    Args:
        records: A string, or an array of them, with a record each.
        record_defaults: For every column, what stands for a field that is missing, or a dtype
            or empty array if none may be: float32, float64, int32, int64 or string.
        field_delim: What stands between fields, one character.
        use_quote_delim: Whether quotes have a meaning.
        na_value: The text of a field that is missing, besides an empty one.
        select_cols: The numbers of the columns that are decoded, rising; all by default.
        name: Has no effect.

    Example:
        >>> decode_csv(["1,a", "2,"], [[0], ["none"]])
        [array([1, 2], dtype=int32), array(['a', 'none'], dtype=object)]
    """
    columns = columns_of(_CALL, record_defaults)
    if not isinstance(na_value, (str, bytes)):
        raise BuildTypeError(f"{_CALL}: na_value must be a string, got {na_value!r}.")
    selected = check_columns(_CALL, "select_cols", select_cols)
    if selected is not None and len(selected) != len(columns):
        raise BuildError(
            f"{_CALL}: select_cols names {len(selected)} columns, record_defaults has "
            f"{len(columns)}. There must be one default for each."
        )
    na_bytes = na_value.encode() if isinstance(na_value, str) else na_value
    way = CsvFormat(check_delimiter(_CALL, field_delim), bool(use_quote_delim), na_bytes)
    return list(_decoded(records, columns, way, selected))


def _spec(
    records: Any, columns: tuple[CsvColumn, ...], _way: CsvFormat, _selected: Any
) -> tuple[Any, ...]:
    form = form_of(records)
    return tuple(spec_of_form(form, column.dtype) for column in columns)


def _rule(
    records: Any, columns: tuple[CsvColumn, ...], way: CsvFormat, selected: Any
) -> Sequence[Column]:
    check_constant((columns, way, selected), {})
    items, put = column_parts(records)
    return [put(_results(column)) for column in _columns(items, columns, way, selected)]


@leaf_operation(spec=_spec, columns=_rule)
def _decoded(
    records: Any,
    columns: tuple[CsvColumn, ...],
    way: CsvFormat,
    selected: tuple[int, ...] | None,
) -> tuple[Any, ...]:
    items, put = parts_of(strings_given(_CALL, records, "records"))
    return tuple(put(_results(column)) for column in _columns(items, columns, way, selected))


def _results(column: Column) -> Any:
    array = getattr(column, "array", None)
    return column.rows() if array is None else array


def _columns(
    items: list[Any],
    columns: tuple[CsvColumn, ...],
    way: CsvFormat,
    selected: tuple[int, ...] | None,
) -> list[Column]:
    """Return the columns of a flat list of records."""
    texts = [item.encode() if isinstance(item, str) else item for item in items]
    encoding = "utf-8" if items and isinstance(items[0], str) else None
    found = _columns_at_once(texts, columns, way, selected, encoding)
    if found is not None:
        return found
    fields, counts = _fields_at_once(texts, way) or _fields_one_by_one(texts, way, selected)
    if selected is None:
        wrong = np.flatnonzero(counts != len(columns))
    else:
        wrong = np.flatnonzero(counts <= selected[-1])
    if len(wrong):
        number = int(wrong[0])
        wanted = len(columns) if selected is None else f"at least {selected[-1] + 1}"
        raise InvalidArgumentError(
            f"{_CALL}: record {number} must have {wanted} fields, it has {counts[number]}: "
            f"{items[number]!r:.200}."
        )
    firsts = np.concatenate([[0], np.cumsum(counts)])[:-1].astype(np.int64)
    made = []
    for place, column in zip(selected or range(len(columns)), columns, strict=True):
        part = fields.take(firsts + place)
        values, good = typed_column(part, column, way.na_value, encoding)
        if not good.all():
            number = int(np.argmin(good))
            reason = field_failure(part.text(number), column, way.na_value, encoding)
            raise InvalidArgumentError(f"{_CALL}: field {place} of record {number} {reason}.")
        made.append(values)
    return made


def _columns_at_once(
    texts: list[bytes],
    columns: tuple[CsvColumn, ...],
    way: CsvFormat,
    selected: tuple[int, ...] | None,
    encoding: str | None,
) -> list[Column] | None:
    """Return the columns of records that are the lines of one text without a fault; else None."""
    if selected is None:
        counts: tuple[int, int | None] = (len(columns), len(columns))
    else:
        counts = (selected[-1] + 1, None)
    reader = TableReader.of(columns, selected or range(len(columns)), counts, way, encoding)
    if reader is None or not all(texts) or way.delimiter == _NEWLINE:
        return None
    data = b"\n".join([*texts, b""])
    found = None if b"\r" in data else reader.read(data, True)
    if found is None:
        return None
    made, num_records, _, num_lines = found
    # As many records as ends of lines as texts: every text is one record, and all of it.
    return made if num_records == num_lines == len(texts) else None


def _fields_at_once(texts: list[bytes], way: CsvFormat) -> tuple[Fields, NDArray[np.int64]] | None:
    """Return the fields of all records, and how many each has; None if that cannot be done.

    The records are read as the lines of one text, and must come out as they went in.
    """
    data = b"\n".join([*texts, b""])
    if way.delimiter == _NEWLINE:
        return None
    found = split_csv(np.frombuffer(data, np.uint8), way.delimiter, way.quotes, True)
    lengths = np.array([len(text) for text in texts], np.int64)
    if len(found.kinds) and found.kinds.max() > ESCAPED:
        return None
    if not np.array_equal(found.record_stops, np.cumsum(lengths + 1)) or not np.all(lengths):
        return None
    return Fields.of(data, found), np.diff(found.record_splits)


def _fields_one_by_one(
    texts: list[bytes], way: CsvFormat, selected: tuple[int, ...] | None
) -> tuple[Fields, NDArray[np.int64]]:
    """Return the same by TensorFlow's rules for what is not written in one line."""
    every: list[bytes] = []
    counts = []
    for number, text in enumerate(texts):
        found = _fields_of(text, way, number, None if selected is None else selected[-1] + 1)
        every += found
        counts.append(len(found))
    stops = np.cumsum([len(field) for field in every], dtype=np.int64)
    starts = np.concatenate([[0], stops[:-1]]).astype(np.int64) if every else stops
    data = np.frombuffer(b"".join(every), np.uint8)
    return Fields(data, starts, stops), np.array(counts, np.int64)


def _fields_of(text: bytes, way: CsvFormat, number: int, most: int | None) -> list[bytes]:
    """Return the fields of one record, the first ``most`` of them if it is given."""
    found: list[bytes] = []
    at, delimiter = 0, bytes([way.delimiter])
    while at < len(text) and len(found) != most:
        if text[at] in (_NEWLINE, _RETURN):
            at += 1  # before a field they do not count
        elif way.quotes and text[at] == _QUOTE:
            field, at = _quoted(text, at + 1, delimiter, number)
            found.append(field)
        else:
            stop = text.find(delimiter, at)
            stop = len(text) if stop == -1 else stop
            field, at = text[at:stop], stop + 1
            if b"\n" in field or b"\r" in field or (way.quotes and b'"' in field):
                raise InvalidArgumentError(
                    f"{_CALL}: field {len(found)} of record {number} is not in quotes, so it "
                    f"must not hold a quote or the end of a line: {field!r:.200}."
                )
            found.append(field)
    if text[-1:] == delimiter and len(found) != most:
        found.append(b"")
    return found


def _quoted(text: bytes, at: int, delimiter: bytes, number: int) -> tuple[bytes, int]:
    """Return the field whose opening quote is before ``at``, and where the next begins."""
    start = at
    while (quote := text.find(b'"', at)) != -1:
        following = text[quote + 1 : quote + 2]
        if not following or following == delimiter:
            return text[start:quote].replace(b'""', b'"'), quote + 2
        if following != b'"':
            raise InvalidArgumentError(
                f"{_CALL}: a quote inside a quoted field must be doubled, record {number} is "
                f"{text!r:.200}."
            )
        at = quote + 2
    raise InvalidArgumentError(
        f"{_CALL}: a field that begins with a quote must end with one, record {number} is "
        f"{text!r:.200}."
    )
