import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import BuildTypeError, InvalidArgumentError
from feedline.ragged import RaggedTensor, constant
from feedline.ragged.tensor import stack_rows

ROWS = st.lists(st.lists(st.integers(-5, 5), max_size=4), min_size=1, max_size=5)
NESTED = st.lists(ROWS, min_size=1, max_size=4)


@given(ROWS)
def test_lists_come_back_from_a_constant(rows):
    found = constant(rows, np.int32)

    assert found.to_list() == rows
    assert len(found) == found.nrows() == len(rows)
    assert found.row_lengths().tolist() == [len(row) for row in rows]
    assert [found[i].tolist() for i in range(len(rows))] == rows


@given(NESTED)
def test_lists_of_lists_come_back_from_a_constant(rows):
    found = constant(rows, np.int32)

    assert found.to_list() == rows
    assert found.ragged_rank == 2
    assert found.shape == (len(rows), None, None)


@given(ROWS, st.integers(0, 5), st.integers(0, 5))
def test_a_slice_is_the_slice_of_the_list(rows, start, stop):
    assert constant(rows, np.int32)[start:stop].to_list() == rows[start:stop]


@given(st.lists(ROWS, min_size=1, max_size=4))
def test_stacked_values_have_the_values_as_rows(many):
    stacked = stack_rows([constant(rows, np.int32) for rows in many])

    assert stacked.to_list() == many
    assert stacked.dtype == np.int32


@given(st.lists(NESTED, min_size=1, max_size=3))
def test_values_of_two_ragged_axes_can_be_stacked(many):
    stacked = stack_rows([constant(rows, np.int32) for rows in many])

    assert stacked.to_list() == many
    assert stacked.ragged_rank == 3


def test_values_without_rows_can_be_stacked():
    empty = RaggedTensor(np.zeros(0, np.int16), np.zeros(1, np.int64))
    stacked = stack_rows([empty, empty])

    assert stacked.to_list() == [[], []]
    assert stacked.dtype == np.int16


def test_arrays_and_ragged_values_can_be_stacked_together():
    stacked = stack_rows([np.array([[1, 2], [3, 4]]), constant([[5], [6, 7, 8]], np.int64)])

    assert stacked.to_list() == [[[1, 2], [3, 4]], [[5], [6, 7, 8]]]


@given(ROWS)
def test_a_dense_array_has_the_rows_filled_up(rows):
    width = max(map(len, rows))
    found = constant(rows, np.int32).to_tensor(default_value=-9)

    assert found.tolist() == [row + [-9] * (width - len(row)) for row in rows]


def test_two_ragged_axes_are_filled_up_with_zeros():
    found = constant([[[1], [2, 3]], [[4]]]).to_tensor()

    assert found.tolist() == [[[1, 0], [2, 3]], [[4, 0], [0, 0]]]


def test_strings_are_filled_up_with_empty_bytes():
    assert constant([[b"a"], []]).to_tensor().tolist() == [[b"a"], [b""]]


@pytest.mark.parametrize(
    ("rows", "dtype"),
    [
        ([[1], [2, 3]], np.int32),
        ([[2**40]], np.int64),
        ([[1.5], []], np.float32),
        ([[], []], np.float32),
        ([["a"], []], object),
        ([[np.int64(1)]], np.int64),
    ],
)
def test_constants_get_the_dtypes_of_tensorflow(rows, dtype):
    assert constant(rows).dtype == dtype


def test_a_flat_list_is_a_plain_array():
    assert constant([1, 2]).tolist() == [1, 2]


def test_row_splits_may_be_int32():
    assert constant([[1], []], row_splits_dtype=np.int32).row_splits.dtype == np.int32


def test_values_are_compared_one_by_one():
    assert (constant([[1, 2], [3]]) == constant([[1, 5], [3]])).to_list() == [[True, False], [True]]
    assert (constant([["a", "b"], []]) != b"a").to_list() == [[False, True], []]
    with pytest.raises(BuildTypeError, match="neither true nor false"):
        bool(constant([[1]]))
    with pytest.raises(InvalidArgumentError, match="rows of the same lengths"):
        _ = constant([[1], [2]]) == constant([[1, 2], []])


def test_rows_may_have_an_inner_shape():
    found = RaggedTensor.from_row_lengths(np.arange(6).reshape(3, 2), [1, 2])

    assert found.shape == (2, None, 2)
    assert found[1].tolist() == [[2, 3], [4, 5]]


@pytest.mark.parametrize(
    ("splits", "message"),
    [
        ([0, 2], "must begin with 0 and end with len.values. = 3"),
        ([1, 3], "must begin with 0"),
        ([], "must begin with 0"),
        ([0, 2, 1, 3], "must not fall"),
    ],
)
def test_row_splits_that_cut_nothing_are_refused(splits, message):
    with pytest.raises(InvalidArgumentError, match=message):
        RaggedTensor.from_row_splits([1, 2, 3], splits)


def test_a_row_that_does_not_exist_is_an_index_error():
    assert constant([[1], [2]])[-1].tolist() == [2]
    with pytest.raises(IndexError):
        constant([[1], [2]])[2]
