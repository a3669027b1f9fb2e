import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError
from feedline.ragged import RaggedTensor, constant

ROWS = st.lists(st.lists(st.integers(-5, 5), max_size=4), max_size=5)
NESTED = st.lists(ROWS, max_size=4)
BOUND = st.none() | st.integers(-6, 6)
SLICE = st.builds(slice, BOUND, BOUND, st.none() | st.integers(-3, 3).filter(bool))


def ragged(rows, rank=1):
    return constant(rows, tf.int32, ragged_rank=rank) if any(rows) else empty(rows, rank)


def empty(rows, rank):
    value = RaggedTensor.from_row_lengths(
        constant([], tf.int32), [0] * (0 if rank > 1 else len(rows))
    )
    return RaggedTensor.from_row_lengths(value, [0] * len(rows)) if rank > 1 else value


def deep(rows):
    return RaggedTensor.from_nested_row_lengths(
        constant([x for row in rows for inner in row for x in inner], tf.int32),
        [[len(row) for row in rows], [len(inner) for row in rows for inner in row]],
    )


@given(ROWS, SLICE, SLICE)
def test_slices_are_those_of_lists(rows, first, second):
    found = ragged(rows)

    assert found[first].to_list() == rows[first]
    assert found[first, second].to_list() == [row[second] for row in rows[first]]
    assert found[..., second].to_list() == [row[second] for row in rows]


@given(NESTED, SLICE, SLICE, SLICE)
def test_slices_of_rows_of_rows_are_those_of_lists(rows, first, second, third):
    found = deep(rows)[first, second, third]

    assert found.to_list() == [[inner[third] for inner in row[second]] for row in rows[first]]
    assert found.dtype == tf.int32


@given(ROWS.filter(len), st.data())
def test_one_row_is_that_of_the_list(rows, data):
    place = data.draw(st.integers(-len(rows), len(rows) - 1))
    part = data.draw(SLICE)

    assert ragged(rows)[place].tolist() == rows[place]
    assert ragged(rows)[place, part].tolist() == rows[place][part]


def test_new_axes_have_length_one():
    rows = constant([[1, 2], [3]])

    assert rows[tf.newaxis].to_list() == [[[1, 2], [3]]]
    assert rows[:, tf.newaxis].to_list() == [[[1, 2]], [[3]]]
    assert rows[..., tf.newaxis].to_list() == [[[1], [2]], [[3]]]
    assert rows[:, tf.newaxis].shape == [2, 1, None]
    assert rows[..., tf.newaxis].shape == [2, None, 1]


def test_items_of_rows_of_one_length_can_be_picked():
    rows = RaggedTensor.from_tensor([[1, 2], [3, 4]])

    assert rows[:, 0].tolist() == [1, 3]
    assert rows[:, -1].tolist() == [2, 4]
    assert rows[:, 1:].shape == [2, 1]


def test_what_a_key_cannot_pick_is_refused():
    rows = constant([[1, 2], [3]])

    with pytest.raises(BuildError, match="rows of different lengths have no item at one place"):
        rows[:, 0]
    with pytest.raises(IndexError, match="row 5 is out of bounds: there are 2"):
        rows[5]
    with pytest.raises(BuildError, match="at most 2 parts here, got 3"):
        rows[:, :, 0]
    with pytest.raises(BuildError, match="step of a slice must not be 0"):
        rows[::0]
