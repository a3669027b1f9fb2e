"""Texts of several columns, a few of each at a time."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.texts_in_turns import texts_in_turns, texts_in_turns_twin

BOTH = pytest.mark.parametrize("turns", [texts_in_turns, texts_in_turns_twin])


def part(texts, before=b""):
    data = np.frombuffer(before + b"".join(texts) + b"after", np.uint8)
    return data, np.cumsum([len(before), *map(len, texts)])


def texts_of(data, offsets):
    return [data[a:b].tobytes() for a, b in itertools.pairwise(offsets)]


@given(st.integers(1, 4), st.integers(0, 4), st.integers(1, 3), st.data())
def test_both_give_every_part_its_turn(parts, turns, length, data):
    several = st.lists(st.binary(max_size=20), min_size=turns * length, max_size=turns * length)
    texts = [data.draw(several) for _ in range(parts)]
    given_parts = [part(some, data.draw(st.binary(max_size=3))) for some in texts]
    expected = [
        text
        for turn in range(0, turns * length, length)
        for some in texts
        for text in some[turn : turn + length]
    ]
    for function in (texts_in_turns, texts_in_turns_twin):
        found = function(given_parts, length)
        assert texts_of(*found) == expected
        assert (found[0].dtype, found[1].dtype) == (np.uint8, np.int64)


@BOTH
def test_memory_is_asked_for_once(turns):
    asked = []

    def empty(size, dtype):
        asked.append((size, dtype))
        return np.empty(size, dtype)

    turns([part([b"ab", b"c"]), part([b"", b"def"])], 1, empty)
    assert asked == [(6, "u1")]


@BOTH
def test_data_and_offsets_may_lie_apart(turns):
    data = np.repeat(np.frombuffer(b"abcd", np.uint8), 2)[::2]
    offsets = np.array([0, 9, 1, 9, 4])[::2]
    assert texts_of(*turns([(data, offsets), (data, offsets)], 1)) == [b"a", b"a", b"bcd", b"bcd"]


@BOTH
@pytest.mark.parametrize(
    ("parts", "length", "words"),
    [
        ([], 1, "there must be parts"),
        ([part([b"a"])], 0, "turns of at least one"),
        ([part([b"a", b"b"]), part([b"a"])], 1, "equally many"),
        ([part([b"a"] * 3)], 2, "whole turns"),
        ([(np.empty(0, np.uint8), np.empty(0, np.int64))], 1, "at least one number"),
        ([(np.empty(2, np.uint8), np.array([0, 3]))], 1, "rise from 0"),
        ([(np.empty(2, np.uint8), np.array([1, 0]))], 1, "rise from 0"),
        ([(np.empty(2, np.uint8), np.array([-1, 0]))], 1, "rise from 0"),
    ],
)
def test_what_cannot_be_is_refused(turns, parts, length, words):
    with pytest.raises(ValueError, match=words):
        turns(parts, length)
