"""A column of str in one buffer."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.column import Bytes, Objects, concat_columns
from feedline.text_column import Texts

WORDS = ["one", "", "zwölf", "three"]


def texts(words):
    parts = [word.encode() for word in words]
    offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return Texts(Bytes(np.frombuffer(b"".join(parts), np.uint8), offsets))


def test_its_rows_are_str():
    assert texts(WORDS).rows() == WORDS
    assert len(texts(WORDS)) == 4


@given(st.lists(st.text(max_size=5), min_size=1), st.data())
def test_it_gives_what_a_column_of_objects_gives(words, data):
    start = data.draw(st.integers(0, len(words)))
    stop = data.draw(st.integers(start, len(words)))
    index = np.array(data.draw(st.lists(st.integers(0, len(words) - 1))), np.int64)
    one, other = texts(words), Objects(words)

    for _ in range(2):  # before the strings were made, and after
        assert one.slice(start, stop).rows() == other.slice(start, stop).rows()
        assert one.take(index).rows() == other.take(index).rows()
        assert concat_columns([one, one]).rows() == words * 2
        assert one.rows() == words


@pytest.mark.parametrize("size", [2, 3])
def test_batches_are_arrays_of_objects(size):
    one, other = texts(WORDS).group(size).rows(), Objects(WORDS).group(size).rows()

    assert [batch.tolist() for batch in one] == [batch.tolist() for batch in other]
    assert {batch.dtype for batch in one} == {np.dtype(object)}


def test_slices_and_copies_make_no_strings():
    column = texts(WORDS)

    moved = concat_columns([column.slice(1, 3), column.take(np.array([3]))])

    assert not column.is_decoded
    assert isinstance(moved, Texts)
    assert not moved.is_decoded
    assert moved.rows() == ["", "zwölf", "three"]


def test_strings_are_made_once():
    column = texts(WORDS)

    assert column.rows()[0] is column.rows()[0]
    assert column.slice(2, 4).rows()[0] is column.rows()[2]


def test_it_can_be_joined_with_other_columns():
    assert concat_columns([texts(["a"]), Objects(["b"])]).rows() == ["a", "b"]
    assert concat_columns([Objects(["b"]), texts(["a"])]).rows() == ["b", "a"]


def test_a_pickle_holds_what_is_in_use_alone():
    column = texts(["x" * 10_000, "a", "b"]).slice(1, 3)

    again = pickle.loads(pickle.dumps(column))
    assert again.rows() == ["a", "b"]
    assert len(pickle.dumps(column)) < 1000


def test_its_size_is_that_of_its_text():
    assert texts(["ab", "c"]).nbytes == 3 + 3 * 8
