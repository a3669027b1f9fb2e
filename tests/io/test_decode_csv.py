"""Strings that hold a record each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.csv.format import CsvFormat
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.io.decode_csv import _fields_at_once, _fields_one_by_one
from feedline.testing import check

NEEDED = np.array([], np.int32)


def decoded(records, defaults, **options):
    return [column.tolist() for column in tf.io.decode_csv(records, defaults, **options)]


@pytest.mark.parametrize(
    ("records", "defaults", "options", "columns"),
    [
        (["1,2.5,abc"], [[0], [0.0], [""]], {}, [[1], [2.5], ["abc"]]),
        ([["1,a"], ["2,b"]], [[0], [""]], {}, [[[1], [2]], [["a"], ["b"]]]),
        ([",x"], [[5], [""]], {}, [[5], ["x"]]),
        (["1,"], [[0], [9]], {}, [[1], [9]]),
        (['"a,b","c""d"'], [[""], [""]], {}, [["a,b"], ['c"d']]),
        (['"a\nb",c'], [[""], [""]], {}, [["a\nb"], ["c"]]),
        (['"",""'], [["d"], ["e"]], {}, [["d"], ["e"]]),
        (['""'], [["d"]], {}, [["d"]]),
        (['"a",b"c'], [[""], [""]], {"use_quote_delim": False}, [['"a"'], ['b"c']]),
        (["NA,1"], [[5], [6]], {"na_value": "NA"}, [[5], [1]]),
        (['"NA",1'], [[5], [6]], {"na_value": "NA"}, [[5], [1]]),
        (["NA,1"], [["dd"], [6]], {"na_value": b"NA"}, [["dd"], [1]]),
        (["1\t2"], [[5], [6]], {"field_delim": "\t"}, [[1], [2]]),
        (['1"2'], [[5], [6]], {"field_delim": '"'}, [[1], [2]]),
        (["1\n2"], [[5], [6]], {"field_delim": "\n"}, [[1], [2]]),
        (["1,2,3"], [[5], [6]], {"select_cols": [0, 2]}, [[1], [3]]),
        (["1,2,"], [[5], [6]], {"select_cols": [0, 2]}, [[1], [6]]),
        (["\n1,\n2"], [[5], [6]], {}, [[1], [2]]),
        ([b"\xff,1"], [[""], [0]], {}, [[b"\xff"], [1]]),
        ([b",1"], [["d"], [0]], {}, [[b"d"], [1]]),
        ([], [[0], [""]], {}, [[], []]),
    ],
)
def test_columns_are_those_of_tensorflow(records, defaults, options, columns):
    assert decoded(records, defaults, **options) == columns


def test_columns_have_the_dtypes_of_their_defaults():
    defaults = [[0], [2**40], [0.5], np.array([1.0]), [""]]
    columns = tf.io.decode_csv(["1,2,3,4,5"], defaults)

    assert [column.dtype.name for column in columns] == [
        "int32",
        "int64",
        "float32",
        "float64",
        "string",
    ]


def test_a_single_record_gives_single_values():
    one, two = tf.io.decode_csv(b"1,a", [tf.int32, tf.string])

    assert (one, two) == (np.int32(1), b"a")
    assert one.dtype == np.int32


@pytest.mark.parametrize(
    ("records", "defaults", "options", "text"),
    [
        ([",x"], [NEEDED, [""]], {}, "field 0 of record 0 is missing, and the column has no"),
        (["1,1", "1"], [[0], [0]], {}, "record 1 must have 2 fields, it has 1: '1'"),
        (["1,2,3"], [[0], [0]], {}, "record 0 must have 2 fields, it has 3"),
        ([""], [[0]], {}, "record 0 must have 1 fields, it has 0"),
        (['"a"b,c'], [[""], [""]], {}, "a quote inside a quoted field must be doubled"),
        (['a"b,c'], [[""], [""]], {}, "must not hold a quote or the end of a line"),
        (["1,2\r\n"], [[5], [6]], {}, "field 1 of record 0 is not in quotes"),
        (["1\n,2"], [[5], [6]], {}, "field 0 of record 0 is not in quotes"),
        (['"ab'], [[""]], {}, "a field that begins with a quote must end with one"),
        (['"'], [[""]], {}, "a field that begins with a quote must end with one"),
        (["1,2"], [[5], [6]], {"select_cols": [0, 2]}, "must have at least 3 fields, it has 2"),
        (["1", "x"], [[0]], {}, "field 0 of record 1 is no int32: 'x'"),
        (["2147483648"], [[0]], {}, "field 0 of record 0 is no int32: '2147483648'"),
        (["1e"], [[0.0]], {}, "field 0 of record 0 is no float32: '1e'"),
    ],
)
def test_a_record_that_is_wrong_is_named(records, defaults, options, text):
    with pytest.raises(InvalidArgumentError, match=text):
        tf.io.decode_csv(records, defaults, **options)


PIECES = st.sampled_from([b",", b'"', b"a", b"1", b'""', b"\n"])
RECORDS = st.lists(st.lists(PIECES, min_size=1, max_size=8).map(b"".join), min_size=1, max_size=5)


@given(RECORDS, st.booleans())
def test_many_records_at_once_are_as_one_by_one(records, quotes):
    way = CsvFormat(ord(","), quotes, b"")
    found = _fields_at_once(records, way)
    expected = _fields_one_by_one(records, way, None) if found is not None else None

    for fields, counts in [] if found is None else [found, expected]:
        assert counts.tolist() == expected[1].tolist()
        assert [fields.text(n) for n in range(len(fields.starts))] == [
            expected[0].text(n) for n in range(len(expected[0].starts))
        ]


def test_records_are_decoded_in_blocks():
    records = [f"{number},{number / 4},x{number}" for number in range(300)]
    ds = tf.data.Dataset.from_tensor_slices(records)
    ds = ds.map(lambda record: tuple(tf.io.decode_csv(record, [[0], [0.0], [""]])))

    check(ds)
    assert list(ds)[299] == (299, 74.75, "x299")
    assert "vectorised" in ds.explain("rewritten")
    batched = ds.batch(150)
    assert [number.tolist()[-1] for number, _, _ in batched] == [149, 299]


def test_batches_of_records_are_decoded():
    ds = tf.data.Dataset.from_tensor_slices(["1,a", "2,b", "3,c"]).batch(2)
    ds = ds.map(lambda batch: tuple(tf.io.decode_csv(batch, [tf.int32, tf.string])))

    assert [(n.tolist(), s.tolist()) for n, s in ds] == [([1, 2], ["a", "b"]), ([3], ["c"])]


def test_an_element_that_fails_in_a_block_is_the_only_one():
    ds = tf.data.Dataset.from_tensor_slices(["1", "x", "3"] * 50)
    ds = ds.map(lambda record: tf.io.decode_csv(record, [tf.int32])[0])

    assert [int(n) for n in ds.ignore_errors()] == [1, 3] * 50


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"records": [1]}, BuildTypeError, "records must be strings"),
        ({"record_defaults": []}, BuildError, "must have an entry for every column"),
        ({"record_defaults": [[True]]}, BuildTypeError, "column 0 of record_defaults is bool"),
        ({"record_defaults": [[1, 2]]}, BuildError, "column 0 has 2"),
        ({"field_delim": "::"}, BuildError, "field_delim must be a single byte"),
        ({"select_cols": [2, 0]}, BuildError, "select_cols must rise"),
        ({"select_cols": [-1]}, BuildError, "select_cols must rise, from 0 on"),
        ({"select_cols": [0, 1]}, BuildError, "names 2 columns, record_defaults has 1"),
        ({"na_value": 0}, BuildTypeError, "na_value must be a string"),
    ],
)
def test_wrong_arguments_are_refused(arguments, kind, text):
    with pytest.raises(kind, match=text):
        tf.io.decode_csv(**{"records": ["1"], "record_defaults": [[0]], **arguments})


def test_ordinary_records_are_taken_apart_at_once():
    assert _fields_at_once([b'a,"1"', b"b,2"], CsvFormat(ord(","), True, b"")) is not None
