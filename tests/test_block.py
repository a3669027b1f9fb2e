from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.block import Block
from feedline.errors import SpecError
from feedline.structure import structure_of
from feedline.testing import assert_same_elements

Point = namedtuple("Point", "x y")

ELEMENTS = st.one_of(
    st.lists(st.integers(0, 9)),
    st.lists(st.tuples(st.integers(0, 9), st.text(max_size=2))),
    st.lists(st.builds(lambda a, b: {"a": a, "b": (b,)}, st.floats(), st.binary(max_size=2))),
    st.lists(st.builds(Point, st.integers(0, 9), st.booleans())),
).filter(bool)


def ids_for(elements):
    return np.arange(100, 100 + len(elements), dtype=np.uint64)


def rows_as_leaves(elements):
    return [Block.of([element]).rows()[0] for element in elements]


@given(ELEMENTS)
def test_the_rows_are_the_elements(elements):
    block = Block.of(elements)

    assert len(block) == block.length == len(elements)
    assert block.nbytes >= 0
    assert_same_elements(block.rows(), rows_as_leaves(elements))
    assert_same_elements(block.private_elements(), rows_as_leaves(elements))
    assert_same_elements(block.read_only().rows(), rows_as_leaves(elements))


@given(ELEMENTS, st.integers(0, 9), st.integers(0, 9))
def test_a_slice_has_the_elements_and_ids_in_between(elements, start, stop):
    start, stop = sorted(min(n, len(elements)) for n in (start, stop))
    part = Block.of(elements, ids_for(elements)).slice(start, stop)

    assert part.length == stop - start
    assert part.ids.tolist() == ids_for(elements)[start:stop].tolist()
    assert_same_elements(part.rows(), rows_as_leaves(elements)[start:stop])


def test_the_whole_slice_is_the_block_itself():
    block = Block.of([1, 2, 3])

    assert block.slice(0, 3) is block
    assert block.slice(1, 99).length == 2


@given(ELEMENTS, st.data())
def test_taking_takes_elements_with_their_ids(elements, data):
    index = np.array(data.draw(st.lists(st.integers(0, len(elements) - 1))), np.int64)
    taken = Block.of(elements, ids_for(elements)).take(index)

    assert taken.ids.tolist() == ids_for(elements)[index].tolist()
    assert_same_elements(taken.rows(), [rows_as_leaves(elements)[i] for i in index])


def test_selecting_keeps_what_is_true():
    block = Block.of([10, 11, 12])

    assert block.select(np.array([True, False, True])).rows() == [10, 12]
    assert block.select(np.array([True, True, True])) is block
    assert block.select(np.array([False, False, False])).length == 0


@given(ELEMENTS, st.integers(1, 9))
def test_blocks_joined_are_the_elements_joined(elements, cut):
    block = Block.of(elements, ids_for(elements))
    cut = min(cut, len(elements))
    joined = Block.concat([block.slice(0, cut), block.slice(cut, len(elements))])

    assert joined.ids.tolist() == block.ids.tolist()
    assert_same_elements(joined.rows(), rows_as_leaves(elements))


def test_dicts_with_keys_in_another_order_are_joined():
    joined = Block.concat([Block.of([{"a": 1, "b": 2}]), Block.of([{"b": 20, "a": 10}])])

    assert joined.rows() == [{"a": 1, "b": 2}, {"a": 10, "b": 20}]


def test_blocks_of_different_structures_are_not_joined():
    with pytest.raises(SpecError, match=r"\* was seen first, then \(\*, \*\)"):
        Block.concat([Block.of([1]), Block.of([(1, 2)])])


def test_columns_of_different_dtypes_are_joined_element_by_element():
    rows = Block.concat([Block.of([1, 2]), Block.of([2.5])]).rows()

    assert [row.dtype for row in rows] == [np.int32, np.int32, np.float32]


def test_elements_must_fit_the_structure_that_is_given():
    with pytest.raises(SpecError, match="was seen first"):
        Block.of([(1, 2)], like=structure_of((1, 2, 3)))


def test_elements_without_leaves_are_counted():
    block = Block.of([(), (), ()])

    assert block.rows() == [(), (), ()]
    assert block.slice(1, 3).rows() == [(), ()]
    assert Block.concat([block, block]).length == 6


def test_arrays_are_copied_whatever_the_column():
    """A function may return the same array again and again, and the next may change it."""
    one, other = np.zeros((2, 2)), np.zeros((3, 3))
    for block in (Block.of([one]), Block.of([one, other])):
        assert not any(np.shares_memory(row, one) for row in block.rows())
