import numpy as np
import pytest

from feedline.data import Dataset
from feedline.graph.fitting import as_number_of, check_fits


def at_a_place(x):
    made = np.zeros(3, np.int8)
    made[1] = x
    return made


def at_a_place_of_its_own(x):
    made = np.zeros(3, np.int8)
    made[x % 2] = x
    return made


def filled(x):
    made = np.zeros(3, np.int8)
    made.fill(x)
    return made


def listed(x):
    return np.array([x, 1], np.int8)


def cast_by_an_index(x):
    made = np.zeros(3, np.int8)
    made[[1]] = x
    return made


def cast_as_an_array(x):
    made = np.zeros(3, np.int8)
    made[1] = np.array(x)
    return made


def full(x):
    return np.full(3, x, np.int8)


@pytest.mark.parametrize("function", [at_a_place, at_a_place_of_its_own, filled, listed])
@pytest.mark.parametrize("late", [300, -129])
def test_a_single_number_that_does_not_fit_raises_as_it_does_in_numpy(function, late):
    values = np.ones(600, np.int64)
    values[400] = late
    with pytest.raises(OverflowError):
        function(values[400])
    taken = []
    with pytest.raises(OverflowError):
        taken.extend(Dataset.from_tensor_slices(values).map(function))


@pytest.mark.parametrize("function", [at_a_place, filled, listed])
def test_a_nan_does_not_become_an_integer(function):
    values = np.ones(600)
    values[400] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        list(Dataset.from_tensor_slices(values).map(function))


@pytest.mark.parametrize("function", [cast_by_an_index, cast_as_an_array, full])
def test_what_numpy_casts_wraps_around(function):
    values = np.ones(600, np.int64)
    values[300:] = 300
    made = list(Dataset.from_tensor_slices(values).map(function))
    np.testing.assert_array_equal(made, [function(value) for value in values])


def test_negative_numbers_wrap_in_arrays_of_unsigned_ones():
    values = np.ones(600, np.int64)
    values[300:] = -1
    made = list(Dataset.from_tensor_slices(values).map(lambda x: np.array([x, 1], np.uint8)))
    np.testing.assert_array_equal(made[-1], [255, 1])


@pytest.mark.parametrize("beside", [np.uint64(1), np.float32(2.5)])
def test_every_item_of_a_list_is_cast_by_itself(beside):
    ids = np.arange(600, dtype=np.int64)
    ids[300:] += 2**53
    others = np.full(600, beside)
    ds = Dataset.from_tensor_slices((ids, others))
    made = np.stack(list(ds.map(lambda i, s: np.array([i, s], dtype=np.int64))))
    np.testing.assert_array_equal(made[:, 0], ids)
    made = np.stack(list(ds.map(lambda i, _: np.array([i, 2.0], dtype=np.int64))))
    np.testing.assert_array_equal(made[:, 0], ids)


def test_numbers_inside_the_limits_fit():
    check_fits(np.array([-128.9, 127.9]), np.dtype(np.int8))
    with pytest.raises(OverflowError):
        check_fits(np.array([128]), np.dtype(np.int8))
    assert as_number_of(np.float64(2.7), np.int8) == 2
