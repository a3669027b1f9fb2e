import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline import strings as s
from feedline.column import Ragged
from feedline.errors import BuildTypeError
from feedline.strings.joining import _join_columns

WORDS = st.lists(st.text(max_size=4), min_size=1, max_size=6)


@given(WORDS, st.text(max_size=2))
def test_strings_are_joined_as_in_python(words, separator):
    assert s.join(words, separator) == separator.join(words)
    assert s.reduce_join(words, separator=separator) == separator.join(words)


@given(WORDS, st.integers(1, 4))
def test_ngrams_are_all_runs_of_neighbours(words, width):
    runs = [" ".join(words[i : i + width]) for i in range(len(words) - width + 1)]

    assert s.ngrams(words, width).tolist() == runs


@given(WORDS, st.data())
def test_segments_hold_their_strings_in_order(words, data):
    ids = data.draw(st.lists(st.integers(0, 2), min_size=len(words), max_size=len(words)))
    found = s.unsorted_segment_join(words, ids, 3, separator=",").tolist()

    for segment in range(3):
        mine = [word for word, number in zip(words, ids, strict=True) if number == segment]
        assert found[segment] == ",".join(mine)


def test_one_string_is_not_a_list_of_letters():
    with pytest.raises(BuildTypeError, match="inputs must be a list"):
        s.join("abc")


def test_padding_must_be_strings():
    with pytest.raises(BuildTypeError, match="pad_values must be one string or two"):
        s.ngrams(["a"], 2, pad_values=("a", "b", "c"))


def test_axes_are_joined_in_the_order_they_are_named():
    cube = np.array(list("abcdefgh"), object).reshape(2, 2, 2)

    assert s.reduce_join(cube, axis=[2, 1]).tolist() == ["abcd", "efgh"]
    assert s.reduce_join(cube, axis=[1, 2]).tolist() == ["acbd", "egfh"]


@pytest.mark.parametrize(("splits", "as_long"), [([0, 1, 3], True), ([0, 2, 3], False)])
def test_ragged_blocks_are_joined_at_once_if_their_rows_are_as_long(splits, as_long):
    texts = np.array([b"a", b"b", b"c"], object)
    columns = [Ragged(texts, np.array([0, 1, 3])), Ragged(texts, np.array(splits))]

    if as_long:
        (made,) = _join_columns(columns, "-")
        assert made.values.tolist() == [b"a-a", b"b-b", b"c-c"]
        assert made.splits.tolist() == splits
    else:
        with pytest.raises(NotImplementedError):
            _join_columns(columns, "-")
