import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.ragged import RaggedTensor, constant

ROWS = st.lists(st.lists(st.integers(1, 9), max_size=4), min_size=1, max_size=5)
LENGTH = st.none() | st.integers(1, 6)


def ragged(rows):
    flat = np.array([x for row in rows for x in row], np.int32)
    return RaggedTensor.from_row_lengths(flat, [len(row) for row in rows])


def filled(row, width, fill):
    return (row + [fill] * width)[:width]


@given(ROWS, LENGTH, LENGTH)
def test_rows_are_cut_or_filled_up_to_a_shape(rows, height, width):
    found = ragged(rows).to_tensor(-1, shape=[height, width])

    tall = max(map(len, rows)) if width is None else width
    lines = filled(rows, len(rows) if height is None else height, [])
    assert found.tolist() == [filled(row, tall, -1) for row in lines]


@given(ROWS, st.integers(0, 2))
def test_what_was_filled_up_comes_back(rows, more):
    value = ragged(rows)
    dense = value.to_tensor(shape=[None, max(map(len, rows)) + more])

    assert RaggedTensor.from_tensor(dense, padding=0).to_list() == rows
    assert RaggedTensor.from_tensor(dense, lengths=value.row_lengths()).to_list() == rows


@given(ROWS)
def test_sparse_values_hold_the_same(rows):
    value = ragged(rows)
    sparse = value.to_sparse()

    assert RaggedTensor.from_sparse(sparse).to_list() == rows
    assert tf.sparse.to_dense(sparse).tolist() == value.to_tensor().tolist()
    assert sparse.dense_shape.tolist() == value.bounding_shape().tolist()


@given(ROWS)
def test_rows_can_be_told_in_every_way(rows):
    value = ragged(rows)
    flat = value.values

    assert RaggedTensor.from_row_splits(flat, value.row_splits).to_list() == rows
    assert RaggedTensor.from_row_starts(flat, value.row_starts()).to_list() == rows
    assert RaggedTensor.from_row_limits(flat, value.row_limits()).to_list() == rows
    ids = RaggedTensor.from_value_rowids(flat, value.value_rowids(), nrows=len(rows))
    assert ids.to_list() == rows


def test_what_does_not_fit_is_refused():
    rows = constant([[1, 2], [3]])

    with pytest.raises(BuildTypeError, match="default_value must be int32"):
        rows.to_tensor(1.5)
    with pytest.raises(BuildError, match="shape must have 2 axes, got"):
        rows.to_tensor(shape=[2])
    with pytest.raises(BuildError, match="lengths or padding, not both"):
        RaggedTensor.from_tensor([[1]], lengths=[1], padding=0)
    with pytest.raises(InvalidArgumentError, match="filled from their beginnings"):
        RaggedTensor.from_sparse(tf.SparseTensor([[0, 1]], [1], [1, 2]))
    with pytest.raises(InvalidArgumentError, match="rows must be in order"):
        RaggedTensor.from_value_rowids([1, 2, 3], [0, 2, 1])
