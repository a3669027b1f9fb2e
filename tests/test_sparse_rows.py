"""Columns of sparse rows."""

import numpy as np
import pytest

from feedline.column import Objects, Ragged, concat_columns
from feedline.graph.same import same_leaves
from feedline.leaf import stack_leaves
from feedline.sparse_rows import SparseRows


@pytest.fixture
def column():
    return SparseRows(Ragged(np.arange(7.0), np.array([0, 2, 2, 5, 7])))


def test_rows_are_sparse_tensors_filled_from_the_beginning(column):
    first, second, *_ = column.rows()

    assert first.indices.tolist() == [[0], [1]]
    assert first.values.tolist() == [0, 1]
    assert second.shape == (0,)
    assert second.indices.shape == (0, 1)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9])
def test_batches_are_those_of_the_rows(column, size):
    rows = column.rows()
    expected = [stack_leaves(rows[at : at + size]) for at in range(0, 4, size)]

    assert all(map(same_leaves, column.group(size).rows(), expected))


def test_it_is_cut_gathered_and_joined_like_any_column(column):
    rows = column.rows()
    picked = column.take(np.array([3, 0]))
    whole = concat_columns([column.slice(0, 1), column.slice(1, 4)])

    assert all(map(same_leaves, picked.rows(), [rows[3], rows[0]]))
    assert isinstance(whole, SparseRows)
    assert all(map(same_leaves, whole.rows(), rows))
    assert column.nbytes > 0
    assert not column.read_only().rows()[0].values.flags.writeable


def test_joined_with_another_kind_it_is_objects(column):
    assert isinstance(concat_columns([column, Objects(column.rows())]), Objects)
