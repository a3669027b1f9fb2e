"""Rows made of values by other features, which are not believed."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import InvalidArgumentError
from feedline.parsing.failures import Where
from feedline.parsing.partitions import Partition

WHERE = Where("parse_example()", None, False)
HOWS = ["RowSplits", "RowLengths", "RowStarts", "RowLimits", "ValueRowIds"]


def rows_of(how, records, counts):
    numbers = np.array([n for record in records for n in record], np.int64)
    splits = np.cumsum([0, *map(len, records)])
    lengths, rows = Partition(how, b"p").rows(numbers, splits, np.array(counts, np.int64), WHERE)
    return lengths.tolist(), rows.tolist()


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), max_size=4))
def test_every_way_to_say_it_says_the_same(lengths):
    counts = [sum(record) for record in lengths]
    ends = [np.cumsum(record).tolist() for record in lengths]
    said = {
        "RowLengths": lengths,
        "RowSplits": [[0, *end] for end in ends],
        "RowLimits": ends,
    }
    flat = [n for record in lengths for n in record]

    for how, records in said.items():
        assert rows_of(how, records, counts) == (flat, [len(record) for record in lengths])


@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=4), max_size=4))
def test_starts_and_ids_say_it_of_rows_that_are_not_empty(lengths):
    counts = [sum(record) for record in lengths]
    ends = [np.cumsum(record).tolist() for record in lengths]
    starts = [[0, *end[:-1]] for end in ends]
    ids = [np.repeat(np.arange(len(record)), record).tolist() for record in lengths]
    expected = [n for record in lengths for n in record], [len(record) for record in lengths]

    assert rows_of("RowStarts", starts, counts) == expected
    assert rows_of("ValueRowIds", ids, counts) == expected


@pytest.mark.parametrize(
    ("how", "numbers", "count"),
    [
        ("RowLengths", [1, 2], 4),
        ("RowLengths", [-1, 5], 4),
        ("RowLengths", [2**62, 2**62, 2**62, 2**62], 0),
        ("RowSplits", [1, 4], 4),
        ("RowSplits", [0, 3], 4),
        ("RowSplits", [0, 5, 4], 4),
        ("RowSplits", [], 4),
        ("RowStarts", [1, 2], 4),
        ("RowStarts", [0, 5], 4),
        ("RowStarts", [0, -(2**63)], 4),
        ("RowLimits", [3, 2, 4], 4),
        ("RowLimits", [5], 4),
        ("ValueRowIds", [0, 1], 4),
        ("ValueRowIds", [1, 0, 1, 1], 4),
        ("ValueRowIds", [-1, 0, 0, 0], 4),
        ("ValueRowIds", [0, 0, 0, 2**60], 4),
    ],
)
def test_rows_that_do_not_hold_all_values_are_refused(how, numbers, count):
    with pytest.raises(InvalidArgumentError, match=r"parse_example\(\): record 1: feature 'p'"):
        rows_of(how, [[], numbers], [0, count])


@given(
    st.sampled_from(HOWS),
    st.lists(
        st.tuples(
            st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-2, 9), max_size=4),
            st.integers(0, 9),
        ),
        max_size=4,
    ),
)
def test_any_numbers_make_rows_of_all_values_or_are_refused(how, records):
    counts = [count for _, count in records]
    try:
        lengths, rows = rows_of(how, [numbers for numbers, _ in records], counts)
    except InvalidArgumentError:
        return
    bounds = np.cumsum([0, *rows])
    sums = [sum(lengths[a:b]) for a, b in pairwise(bounds)]

    assert sums == counts
    assert min(lengths, default=0) >= 0


def test_rows_of_one_length_need_a_multiple():
    lengths, rows = Partition("UniformRowLength", length=2).rows(
        np.zeros(0, np.int64), np.zeros(3, np.int64), np.array([4, 0]), WHERE
    )
    assert (lengths.tolist(), rows.tolist()) == ([2, 2], [2, 0])

    with pytest.raises(InvalidArgumentError, match="multiple"):
        Partition("UniformRowLength", length=2).rows(
            np.zeros(0, np.int64), np.zeros(3, np.int64), np.array([4, 3]), WHERE
        )
