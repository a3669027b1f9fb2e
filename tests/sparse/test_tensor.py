import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from feedline.errors import BuildError
from feedline.sparse import SparseTensor, fill_empty_rows, to_dense

ARRAYS = hnp.arrays(np.int16, hnp.array_shapes(min_dims=2, max_dims=3, max_side=4))


def from_dense(array):
    where = np.argwhere(array)
    return SparseTensor(where, array[tuple(where.T)], array.shape)


@given(ARRAYS)
def test_the_dense_form_is_what_it_was_made_of(array):
    found = to_dense(from_dense(array))

    np.testing.assert_array_equal(found, array)
    assert found.dtype == array.dtype


@given(ARRAYS)
def test_a_row_is_the_row_of_the_dense_form(array):
    sparse = from_dense(array)
    rows = [to_dense(sparse.row(number)) for number in range(len(array))]

    np.testing.assert_array_equal(np.stack(rows), array)


@given(st.lists(hnp.arrays(np.int16, (2, 3)), min_size=1, max_size=4))
def test_stacking_stacks_the_dense_forms(arrays):
    stacked = SparseTensor.stack([from_dense(array) for array in arrays])

    np.testing.assert_array_equal(to_dense(stacked), np.stack(arrays))


def test_places_that_are_not_stored_get_the_default():
    sparse = SparseTensor([[1]], [5], [3])

    assert to_dense(sparse, default_value=-1).tolist() == [-1, 5, -1]
    assert to_dense(SparseTensor([[0]], ["a"], [2])).tolist() == ["a", b""]


def test_python_numbers_become_int32_and_float32():
    assert SparseTensor([[0]], [5], [2]).dtype == np.int32
    assert SparseTensor([[0]], [5.5], [2]).dtype == np.float32
    assert SparseTensor([[0]], np.array([5]), [2]).dtype == np.int64


def test_one_without_values_has_its_shape():
    sparse = SparseTensor(np.zeros((0, 2)), np.zeros(0, np.int8), [2, 3])

    assert sparse.shape == (2, 3)
    assert to_dense(sparse).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_equal_means_equal_places_values_shapes_and_dtypes():
    one = SparseTensor([[1]], [5], [3])

    assert one == SparseTensor([[1]], [5], [3])
    assert one != SparseTensor([[1]], [5], [4])
    assert one != SparseTensor([[2]], [5], [3])
    assert one != SparseTensor([[1]], [6], [3])
    assert one != SparseTensor([[1]], [5.0], [3])
    assert one != "sparse"


def test_as_many_values_as_places_are_needed():
    with pytest.raises(BuildError, match="equally many, got 1 and 2"):
        SparseTensor([[1]], [5, 6], [3])


def test_rows_are_filled_along_an_axis():
    single = SparseTensor(np.zeros((1, 0), np.int64), [5], np.zeros(0, np.int64))

    with pytest.raises(BuildError, match="sp_input must have an axis"):
        fill_empty_rows(single, 0)
