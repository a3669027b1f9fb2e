import numpy as np
import pytest

import feedline as tf
from feedline import strings as s
from feedline.column import Bytes
from feedline.errors import BuildError, BuildTypeError
from feedline.strings.texts import packed, same_kind


def test_str_stays_str_and_bytes_stay_bytes():
    assert s.upper("ab") == "AB"
    assert s.upper(b"ab") == b"AB"
    assert s.upper(["a", b"b"]).tolist() == ["A", b"B"]
    assert s.split("a b").tolist() == ["a", "b"]


def test_strings_of_both_kinds_together_are_bytes():
    assert s.join(["é", b"\xff"]) == b"\xc3\xa9\xff"
    assert same_kind(["a", "b"]) == ["a", "b"]


@pytest.mark.parametrize(
    "value", [np.str_("AB"), np.array("AB"), np.array("AB", object), np.bytes_(b"AB")]
)
def test_single_strings_of_numpy_are_single_strings(value):
    assert s.lower(value) in ("ab", b"ab")


def test_arrays_of_any_shape_keep_it():
    assert s.lower(np.full((2, 0, 3), "A", object)).shape == (2, 0, 3)
    assert s.lower(np.array([["A", "B"]])).tolist() == [["a", "b"]]
    assert s.length([[["a"]]]).shape == (1, 1, 1)
    assert s.lower([]).tolist() == []


def test_ragged_values_keep_their_rows():
    rows = tf.ragged.constant([[["A"], []], [["B", "C"]]])

    assert s.lower(rows).to_list() == [[[b"a"], []], [[b"b", b"c"]]]
    assert s.split(rows).ragged_rank == 3


@pytest.mark.parametrize(
    "value", [3, [1.5], np.zeros(2), None, np.array(["a", 1], object), object()]
)
def test_what_is_no_string_is_refused(value):
    with pytest.raises(BuildTypeError, match="must be strings"):
        s.lower(value)


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"ragged\.constant"):
        s.lower([["a"], ["b", "c"]])


def test_an_unknown_word_is_answered_by_those_there_are():
    with pytest.raises(BuildError, match="unit must be one of 'BYTE', 'UTF8_CHAR', got 'CHAR'"):
        s.length("a", unit="CHAR")


def test_packed_strings_lie_in_one_buffer():
    column = packed(["é", b"a", ""])

    assert isinstance(column, Bytes)
    assert column.rows() == [b"\xc3\xa9", b"a", b""]


EMPTY = {
    "lower": lambda x: s.lower(x),
    "split": lambda x: s.split(x),
    "length": lambda x: s.length(x),
    "to_number": lambda x: s.to_number(x),
    "ngrams": lambda x: s.ngrams(x, 2),
    "join": lambda x: s.join([x, "a"]),
    "hash": lambda x: s.to_hash_bucket_fast(x, 5),
    "decode": lambda x: s.unicode_decode(x, "UTF-8"),
    "replace": lambda x: s.regex_replace(x, "a", "b"),
    "substr": lambda x: s.substr(x, 0, 1),
}


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0), (2, 0, 3)])
def test_arrays_without_strings_give_results_without_values(name, shape):
    found = EMPTY[name](np.empty(shape, object))

    assert len(found) == shape[0]


def test_code_points_of_empty_rows_are_empty_strings():
    assert s.unicode_encode(np.empty((2, 0), np.int32), "UTF-8").tolist() == [b"", b""]
