"""The order of elements of files that are read in turn."""

import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.ops.turns import Turns


@given(st.lists(st.integers(0, 7), max_size=12), st.integers(1, 6))
def test_the_order_is_that_of_interleave(lengths, cycle_length):
    names = tf.data.Dataset.range(len(lengths))
    expected = [
        tuple(map(int, pair))
        for pair in names.interleave(
            lambda n: tf.data.Dataset.range(lengths[int(n)]).map(lambda i: (n, i)), cycle_length
        )
    ]
    turns = Turns(lengths, cycle_length)

    files, elements = turns.places(np.arange(len(turns)))

    assert list(zip(files.tolist(), elements.tolist(), strict=True)) == expected


def test_long_files_take_no_more_memory_than_short_ones():
    turns = Turns([10**12, 10**12 + 5, 10**12], 2)

    files, elements = turns.places(np.array([0, 2 * 10**12, 3 * 10**12 + 4]))

    assert len(turns) == 3 * 10**12 + 5
    assert files.tolist() == [0, 1, 2]
    assert elements.tolist() == [0, 10**12, 10**12 - 1]


def test_work_grows_with_the_files_and_not_with_how_many_are_open_besides(tmp_path):
    names = []
    for number in range(300):
        names.append(str(tmp_path / f"{number:04d}"))
        (tmp_path / names[-1]).write_text(f"{number}\n")

    def calls_of(num_parallel_reads):
        ds, calls = tf.data.TextLineDataset(names, num_parallel_reads=num_parallel_reads), []
        sys.setprofile(lambda *_: calls.append(1))
        try:
            assert sorted(map(int, ds)) == list(range(300))
        finally:
            sys.setprofile(None)
        return len(calls)

    assert calls_of(200) < 10 * calls_of(10)
