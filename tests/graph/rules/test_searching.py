import numpy as np
import pytest

from feedline.data import Dataset

NEEDLES = np.concatenate([np.full(300, 0.5), np.random.default_rng(0).random(300) * 10])


def assert_as_one_by_one(function, values=NEEDLES):
    made = list(Dataset.from_tensor_slices(values).map(function))
    np.testing.assert_array_equal(made, [function(value) for value in values])


@pytest.mark.parametrize(
    "table",
    [
        np.array([1.0, 5.0, 3.0, 9.0, 2.0, 8.0, 4.0]),
        np.array([1.0, np.nan, 3.0, 9.0, 2.0]),
        np.array([1.0, 3.0, 9.0, np.nan, np.nan]),
    ],
)
def test_a_table_need_not_be_sorted(table):
    assert_as_one_by_one(lambda x: np.searchsorted(table, x))


def test_a_sorter_need_not_sort():
    table, sorter = np.arange(7.0), np.array([1, 5, 3, 0, 2, 6, 4])
    assert_as_one_by_one(lambda x: np.searchsorted(table, x, sorter=sorter))


def test_a_table_that_is_no_longer_sorted_is_searched_one_by_one():
    table = np.arange(1.0, 8.0)
    ds = Dataset.from_tensor_slices(NEEDLES).map(lambda x: np.searchsorted(table, x))
    list(ds)
    table[:] = [1, 5, 3, 9, 2, 8, 4]
    np.testing.assert_array_equal(list(ds), [np.searchsorted(table, x) for x in NEEDLES])


def test_unsigned_places_that_go_down_are_interpolated_one_by_one():
    places = np.array([1, 5, 3, 9, 2], np.uint8)
    assert_as_one_by_one(lambda x: np.interp(x, places, np.arange(5.0)))


def test_large_integers_are_looked_for_as_numpy_compares_few():
    values = np.ones(600, np.int64)
    values[300:] = 2**62 + 1
    tests = np.array([2**62, 7], np.uint64)
    assert_as_one_by_one(lambda x: np.isin(x, tests), values)
