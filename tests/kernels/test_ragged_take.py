"""Gathering values of different lengths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.ragged_take import ragged_take, ragged_take_twin

BOTH = pytest.mark.parametrize("take", [ragged_take, ragged_take_twin])
DTYPES = ["u1", "?", "f2", "i4", "f4", "i8", "f8", "c16", "M8[s]", "S3", "U2", ">i4", "i4,f8", "O"]


@given(
    st.sampled_from(DTYPES),
    st.sampled_from([(), (1,), (3,), (2, 2), (0,)]),
    st.lists(st.integers(0, 9), min_size=1, max_size=20),
    st.data(),
)
def test_native_equals_twin(dtype, inner, lengths, data):
    before = data.draw(st.integers(0, 5))
    splits = np.cumsum([before, *lengths])
    places = data.draw(st.lists(st.integers(0, len(lengths) - 1), max_size=30))
    index = np.array(places, np.int64)
    values = np.zeros((splits[-1] + 2, *inner), dtype)
    values.reshape(-1)[:] = np.arange(values.size).astype(dtype)

    taken, out_splits = ragged_take(values, splits, index)
    expected, expected_splits = ragged_take_twin(values, splits, index)

    assert (taken.dtype, taken.shape) == (expected.dtype, expected.shape)
    assert np.array_equal(taken, expected)
    assert out_splits.dtype == np.int64
    assert np.array_equal(out_splits, expected_splits)


@BOTH
def test_values_come_in_the_order_of_the_index(take):
    values, splits = np.arange(10), np.array([0, 2, 2, 5, 9])

    taken, out_splits = take(values, splits, np.array([3, 1, 0, 3]))

    assert taken.tolist() == [5, 6, 7, 8, 0, 1, 5, 6, 7, 8]
    assert out_splits.tolist() == [0, 4, 4, 6, 10]


@BOTH
def test_the_copy_may_be_changed(take):
    values = np.arange(4)
    values.flags.writeable = False

    taken, _ = take(values, np.array([0, 2, 4]), np.array([1]))
    taken += 1

    assert taken.tolist() == [3, 4]
    assert values.tolist() == [0, 1, 2, 3]


@BOTH
def test_values_that_lie_apart_are_gathered(take):
    values = np.arange(12).reshape(3, 4).T

    taken, _ = take(values, np.array([0, 1, 4]), np.array([1]))

    assert taken.tolist() == [[1, 5, 9], [2, 6, 10], [3, 7, 11]]


@BOTH
def test_no_index_gives_nothing(take):
    taken, splits = take(np.empty((0, 3), np.float32), np.array([0]), np.empty(0, np.int64))

    assert taken.shape == (0, 3)
    assert splits.tolist() == [0]


@BOTH
@pytest.mark.parametrize("place", [-1, 2, 2**63 - 1, -(2**63)])
def test_an_index_outside_is_refused(take, place):
    with pytest.raises(IndexError):
        take(np.arange(4), np.array([0, 2, 4]), np.array([0, place]))


@BOTH
@pytest.mark.parametrize(
    "splits", [[0, 9], [-1, 2], [3, 1], [2**63 - 1, -(2**63)], [0, 2**63 - 1], []]
)
def test_splits_outside_the_values_are_refused(take, splits):
    with pytest.raises(ValueError, match="splits"):
        take(np.arange(4), np.array(splits, np.int64), np.array([0]))
