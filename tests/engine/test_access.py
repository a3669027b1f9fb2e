import numpy as np
import pytest

from feedline.block import Block
from feedline.engine.access import Access, CursorExec, as_index
from tests.engine.fakes import read_all, stream_of


class Squares(Access):
    def __init__(self, length, calls_user=False):
        self._length = length
        self.calls_user = calls_user

    def __len__(self):
        return self._length

    def gather(self, index):
        return Block.of((index**2).tolist())


def test_a_run_is_gathered_by_default():
    assert Squares(9).run(2, 5).rows() == [4, 9, 16]


@pytest.mark.parametrize("calls_user", [False, True])
def test_a_cursor_reads_from_the_front_to_the_end(calls_user):
    assert read_all(stream_of(CursorExec(Squares(5, calls_user)))) == [0, 1, 4, 9, 16]


def test_a_cursor_seeks_and_saves_its_place():
    cursor = CursorExec(Squares(9))
    skipped = cursor.skip(4)
    again = CursorExec(Squares(9))
    again.restore(cursor.state())

    assert skipped == 4
    assert again.pull(2).rows() == [16, 25]
    assert again.skip(99) == 3


def test_where_users_functions_run_elements_come_one_by_one():
    """So that an exception belongs to exactly one element."""
    assert CursorExec(Squares(9, calls_user=True)).pull(5).length == 1


@pytest.mark.parametrize(("index", "place"), [(0, 0), (3, 3), (-1, 3), (-4, 0), (np.int8(2), 2)])
def test_an_index_counts_from_either_end(index, place):
    assert as_index(index, 4) == place


@pytest.mark.parametrize("index", [4, -5])
def test_an_index_out_of_range_is_an_error(index):
    with pytest.raises(IndexError, match=f"index {index} is out of range for a dataset of 4"):
        as_index(index, 4)
