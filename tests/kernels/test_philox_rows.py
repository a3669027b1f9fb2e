"""One stream per key: the published numbers, the same in any block, for any counter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from feedline.kernels.philox import philox_stream
from feedline.kernels.philox_rows import philox_rows, philox_rows_twin

BOTH = pytest.mark.parametrize("rows_of", [philox_rows, philox_rows_twin])
WORDS = hnp.arrays(np.uint64, st.integers(0, 150))
COUNTS = st.integers(0, 70)


def words(*numbers):
    return np.array(numbers, np.uint64)


@given(WORDS, COUNTS, st.booleans(), st.booleans())
def test_native_equals_twin(keys, count, with_low, with_high):
    low = ~keys if with_low else None
    high = keys[::-1] if with_high else None

    rows = philox_rows(keys, count, low, high)

    assert rows.dtype == np.uint32
    assert rows.shape == (len(keys), count)
    assert np.array_equal(rows, philox_rows_twin(keys, count, low, high))


@BOTH
@given(keys=WORDS, count=COUNTS)
def test_a_row_is_the_same_alone_and_in_any_block(rows_of, keys, count):
    alone = [rows_of(keys[i : i + 1], count)[0] for i in range(len(keys))]

    assert np.array_equal(rows_of(keys, count), np.reshape(alone, (len(keys), count)))


@BOTH
def test_a_key_of_zeros_gives_the_numbers_published_with_the_algorithm(rows_of):
    published = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]

    assert rows_of(words(0), 4).tolist() == [published]


@BOTH
def test_a_row_is_the_stream_of_its_key_and_the_high_half_of_its_counter(rows_of):
    rows = rows_of(words(5, 2**63), 9, high=words(7, 2**64 - 1))

    assert rows[0].tolist() == philox_stream(5, 7, 0, 9).tolist()
    assert rows[1].tolist() == philox_stream(2**63, 2**64 - 1, 0, 9).tolist()


@BOTH
def test_the_low_half_of_a_counter_says_where_a_row_begins(rows_of):
    rows = rows_of(words(5), 4, words(3), words(7))

    assert rows[0].tolist() == philox_stream(5, 7, 12, 4).tolist()


@BOTH
def test_the_low_half_of_a_counter_carries_into_the_high_one(rows_of):
    rows = rows_of(words(5), 8, words(2**64 - 1), words(6))

    assert rows[0, 4:].tolist() == philox_stream(5, 7, 0, 4).tolist()


@BOTH
def test_shorter_rows_begin_as_longer_ones(rows_of):
    longer = rows_of(words(1, 2, 3), 13)

    assert np.array_equal(rows_of(words(1, 2, 3), 6), longer[:, :6])


@BOTH
def test_keys_may_lie_anyhow_in_memory(rows_of):
    keys = np.arange(20, dtype=np.uint64)

    assert np.array_equal(rows_of(keys[::-3], 5), rows_of(keys[::-3].copy(), 5))


@BOTH
@pytest.mark.parametrize("count", [-1, 2**60])
def test_a_count_that_cannot_be_is_refused(rows_of, count):
    with pytest.raises(ValueError, match="count must be at least 0"):
        rows_of(words(1), count)


@BOTH
@pytest.mark.parametrize("counter", [(words(1), None), (None, words(1))])
def test_counters_of_another_length_than_the_keys_are_refused(rows_of, counter):
    with pytest.raises(ValueError, match="as long as keys"):
        rows_of(words(1, 2), 4, *counter)
