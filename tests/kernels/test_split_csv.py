"""Where the fields of comma-separated text are."""

import csv
import io
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.split_csv import (
    AFTER_QUOTE,
    ESCAPED,
    PLAIN,
    QUOTED,
    STRAY_QUOTE,
    UNCLOSED,
    split_csv,
    split_csv_twin,
)

BOTH = pytest.mark.parametrize("split", [split_csv, split_csv_twin])
TEXT = st.lists(st.sampled_from([b"\n", b"\r", b'"', b",", b"a", b"\x00"]), max_size=25).map(
    b"".join
)
FIELD = st.text(st.sampled_from('ab ,;"\n\r'), max_size=6)
TABLE = st.lists(st.lists(FIELD, min_size=1, max_size=4), max_size=6)


def found_in(split, text, delimiter=b",", quotes=True, is_final=True):
    return split(np.frombuffer(text, np.uint8), ord(delimiter), quotes, is_final)


def records_of(split, text, delimiter=b",", quotes=True, is_final=True):
    """Every record as a list of (kind, text)."""
    found = found_in(split, text, delimiter, quotes, is_final)
    fields = [
        (kind, text[start:stop])
        for start, stop, kind in zip(
            found.starts.tolist(), found.stops.tolist(), found.kinds.tolist(), strict=True
        )
    ]
    splits = found.record_splits.tolist()
    return [fields[a:b] for a, b in itertools.pairwise(splits)], found.num_bytes


@given(TEXT, st.sampled_from([b",", b'"', b"\n", b"\r", b"a"]), st.booleans(), st.booleans())
def test_native_equals_twin(text, delimiter, quotes, is_final):
    one = found_in(split_csv, text, delimiter, quotes, is_final)
    other = found_in(split_csv_twin, text, delimiter, quotes, is_final)

    for field in ("starts", "stops", "kinds", "record_splits", "record_stops"):
        assert getattr(one, field).tolist() == getattr(other, field).tolist(), field
        assert getattr(one, field).dtype == getattr(other, field).dtype, field


@given(TEXT, st.booleans(), st.integers(0, 30))
def test_records_do_not_depend_on_where_the_text_is_cut(text, quotes, cut):
    whole, _ = records_of(split_csv, text, quotes=quotes)
    first, used = records_of(split_csv, text[:cut], quotes=quotes, is_final=False)
    rest, _ = records_of(split_csv, text[used:], quotes=quotes)

    assert first + rest == whole


@given(TABLE, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from([",", ";", "\t"]))
def test_what_pythons_csv_module_writes_is_read_as_it_was(table, end, delimiter):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(
        table
    )
    records, _ = records_of(split_csv, file.getvalue().encode(), delimiter.encode())

    unescaped = [[text.replace(b'""', b'"').decode() for _, text in row] for row in records]
    assert unescaped == table


@given(TABLE)
def test_what_is_quoted_only_where_needed_is_read_as_pythons_csv_module_reads_it(table):
    file = io.StringIO(newline="")
    csv.writer(file).writerows(table)
    text = file.getvalue()
    records, _ = records_of(split_csv, text.encode())

    unescaped = [
        [(part.replace(b'""', b'"') if kind == ESCAPED else part).decode() for kind, part in row]
        for row in records
    ]
    # The csv module has no record for a line with nothing on it.
    assert unescaped == [row or [""] for row in csv.reader(io.StringIO(text, newline=""))]


@BOTH
@pytest.mark.parametrize(
    ("text", "records"),
    [
        (b"", []),
        (b"\n", [[(PLAIN, b"")]]),
        (b"1,", [[(PLAIN, b"1"), (PLAIN, b"")]]),
        (b"1\r2\n\r3", [[(PLAIN, b"1")], [(PLAIN, b"2")], [(PLAIN, b"")], [(PLAIN, b"3")]]),
        (b'"a\nb","c""d"', [[(QUOTED, b"a\nb"), (ESCAPED, b'c""d')]]),
        (b'a"b,c\nd', [[(STRAY_QUOTE, b'a"b'), (PLAIN, b"c")], [(PLAIN, b"d")]]),
        (b'"a"b,c"\nd', [[(AFTER_QUOTE, b'a"b,c')], [(PLAIN, b"d")]]),
        (b'1,"a\n2', [[(PLAIN, b"1"), (UNCLOSED, b"a\n2")]]),
        (b'"', [[(UNCLOSED, b"")]]),
        (b'"a"b', [[(AFTER_QUOTE, b'a"b')]]),
    ],
)
def test_records_are_those_of_tensorflow(split, text, records):
    assert records_of(split, text) == (records, len(text))


@BOTH
def test_quotes_are_nothing_special_if_they_are_switched_off(split):
    assert records_of(split, b'"a",b"c', quotes=False)[0] == [[(PLAIN, b'"a"'), (PLAIN, b'b"c')]]


@BOTH
@pytest.mark.parametrize("text", [b"1,2", b'1,"a', b'1,"a"', b"1,2\r"])
def test_a_record_that_may_go_on_is_left(split, text):
    assert records_of(split, b"x\n" + text, is_final=False) == ([[(PLAIN, b"x")]], 2)
