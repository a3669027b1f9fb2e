"""Comma-separated text straight into columns."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feedline.kernels.csv_table import csv_table, csv_table_twin

BOTH = pytest.mark.parametrize("table", [csv_table, csv_table_twin])
PIECES = [
    b"\n",
    b"\r",
    b'"',
    b",",
    b",",
    b"a",
    b"1",
    b"-2.5",
    b"e3",
    b" ",
    b"N",
    b"\xc3\xa9",
    b"\xff",
]
TEXT = st.lists(st.sampled_from(PIECES), max_size=25).map(b"".join)
FIELD = st.sampled_from([b"", b"1", b"-7", b'"2"', b"N", b"007", b'""'])
WORD = st.sampled_from([b"", b"ab", b'"a,b"', b'"a""b"', b'"a\nb"', b"N", "né".encode(), b"\xff"])
RECORD = st.tuples(FIELD, FIELD, FIELD, FIELD, WORD).map(b",".join)
GOOD = st.lists(RECORD, max_size=6).map(lambda records: b"\n".join([*records, b""]))
COLUMNS = [(0, "f", 0.5), (1, "d", 0.25), (2, "i", 3), (3, "q", 4), (4, "s", b"none")]


def read(  # noqa: PLR0913  (as many as the kernel has)
    table, text, columns=COLUMNS, counts=(5, 5), *, final=True, header=False, utf8=True,
         delimiter=b",", quotes=True, na=b"N"):  # fmt: skip
    data = np.frombuffer(text, np.uint8)
    return table(data, ord(delimiter), quotes, final, header, na, counts, list(columns), utf8)


def plain(found):
    """What can be compared: dtypes and values."""
    if found is None:
        return None
    columns = [
        tuple((part.dtype.str, part.tolist()) for part in (c if isinstance(c, tuple) else (c,)))
        for c in found[0]
    ]
    return repr((columns, *found[1:]))


@given(st.one_of(TEXT, GOOD), st.booleans(), st.booleans(), st.booleans(), st.booleans())
@example(b"1,2,3,4,a\n5", True, False, False, True)
@example(b'1,2,3,4,"a', True, False, False, True)
@example(b"1,2,3,4,a\r", True, False, False, True)
def test_native_equals_twin(text, quotes, final, header, utf8):
    ways = {"quotes": quotes, "final": final, "header": header, "utf8": utf8}

    assert plain(read(csv_table, text, **ways)) == plain(read(csv_table_twin, text, **ways))


@given(TEXT, st.sampled_from([b"\n", b"\r", b'"', b"1", b"-", b"e", b" "]), st.booleans())
def test_native_equals_twin_with_any_delimiter(text, delimiter, final):
    columns, ways = [(0, "f", 0.5), (1, "s", None)], {"delimiter": delimiter, "final": final}

    one = read(csv_table, text, columns, (2, 9), **ways)
    assert plain(one) == plain(read(csv_table_twin, text, columns, (2, 9), **ways))


@BOTH
def test_every_kind_of_column_is_filled(table):
    found = read(table, b'1.5,2.5,3,4,"a ""b"""\n,N,,,\n')

    columns, rows, used, lines = found
    assert [column.tolist() for column in columns[:4]] == [[1.5, 0.5], [2.5, 0.25], [3, 3], [4, 4]]
    assert columns[4][0].tobytes() == b'a "b"none'
    assert (rows, used, lines) == (2, 28, 2)


@BOTH
@pytest.mark.parametrize(
    "text",
    [b"1,2,3\n", b"x,2,3,4,a\n", b"1,2,3.5,4,a\n", b"1,2,3000000000,4,a\n", b'1,2,3,4,"a\n',
     b'1,2,3,4,a"b\n', b'1,2,3,4,"a"b\n', b"1,2,3,4,\xff\n", b"1,2,3,4,a,b\n"],
)  # fmt: skip
def test_what_is_not_as_it_should_be_is_left_to_others(table, text):
    assert read(table, b"1,2,3,4,a\n" + text) is None


@BOTH
def test_a_field_without_default_must_not_be_missing(table):
    assert read(table, b"N\n", [(0, "f", None)], (1, 1)) is None
    assert read(table, b"1\n", [(0, "f", None)], (1, 1))[1] == 1


@BOTH
def test_the_rest_of_a_record_that_is_cut_is_left(table):
    columns, rows, used, _ = read(table, b"1,a\n2,b", [(1, "s", None)], (2, 2), final=False)

    assert (columns[0][0].tobytes(), rows, used) == (b"a", 1, 4)


@BOTH
def test_only_the_fields_that_are_wanted_are_looked_at(table):
    columns, *_ = read(table, b"x,1,y\nz,2,,more\n", [(1, "i", None)], (2, 99))

    assert columns[0].tolist() == [1, 2]


@BOTH
def test_the_header_may_hold_anything(table):
    columns, rows, *_ = read(table, b'"size",b\n1,2\n', [(0, "i", None)], (2, 2), header=True)

    assert (columns[0].tolist(), rows) == ([1], 1)
    assert read(table, b"", [(0, "i", None)], (2, 2), header=True) is None
