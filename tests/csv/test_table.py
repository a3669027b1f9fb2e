"""Whole chunks of comma-separated text as columns."""

import numpy as np
import pytest

from feedline.column import Bytes, Dense
from feedline.csv.format import CsvFormat, columns_of
from feedline.csv.table import TableReader
from feedline.text_column import Texts

WAY = CsvFormat(ord(","), True, b"")


def reader(defaults, counts=(2, 2), encoding="utf-8", places=(0, 1)):
    return TableReader.of(columns_of("test()", defaults), places, counts, WAY, encoding)


@pytest.mark.parametrize(("encoding", "kind"), [("utf-8", Texts), (None, Bytes)])
def test_strings_stay_in_one_buffer(encoding, kind):
    columns, rows, used, lines = reader([[0.0], [""]], encoding=encoding).read(b"1,a\n2,b\n", True)

    assert isinstance(columns[0], Dense)
    assert isinstance(columns[1], kind)
    assert (rows, used, lines) == (2, 8, 2)


@pytest.mark.parametrize("name", ["float32", "float64", "int32", "int64"])
def test_a_column_has_its_dtype_and_its_default(name):
    default = np.array([5], name)

    columns, *_ = reader([default, str]).read(b"1,a\n,b\n", True)

    assert columns[0].array.dtype == name
    assert columns[0].array.tolist() == [1, 5]


def test_lines_that_end_with_a_return_alone_are_counted_too():
    assert reader([int, str]).read(b"1,a\r2,b\r", True)[1:] == (2, 8, 2)


def test_other_encodings_are_left_to_others():
    assert reader([int, str], encoding="latin-1") is None


def test_a_default_that_is_no_text_is_left_to_others():
    assert reader([int, [b"\xff"]]) is None
    assert reader([int, [b"\xff"]], encoding=None) is not None


def test_more_fields_may_follow_those_that_are_wanted():
    columns, *_ = reader([int, str], (3, None), places=(0, 2)).read(b"1,x,a,y\n", True)

    assert columns[1].rows() == ["a"]
