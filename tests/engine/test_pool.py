import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.block import Block
from feedline.engine.pool import Pool
from feedline.errors import SpecError
from feedline.testing import assert_same_elements

ELEMENTS = st.one_of(
    st.integers(0, 9),
    st.floats(0, 1),
    st.text(max_size=2),
    st.lists(st.integers(0, 9), max_size=3),
)


@given(st.lists(st.lists(ELEMENTS, min_size=1, max_size=4), min_size=1, max_size=5), st.data())
def test_what_is_put_can_be_taken_in_any_order(runs, data):
    pool, held = Pool(), {}
    for run in runs:
        places = data.draw(
            st.lists(st.integers(0, 20), min_size=len(run), max_size=len(run), unique=True)
        )
        pool.put(np.array(places), Block.of(run))
        held.update(zip(places, run, strict=True))
    order = data.draw(st.permutations(sorted(held)))

    expected = [Block.of([held[place]]).rows()[0] for place in order]
    assert_same_elements(pool.take(np.array(order)).rows(), expected)


def test_ids_are_kept_with_their_elements():
    pool = Pool()
    pool.put(np.array([3, 1]), Block.of([10, 11], np.array([7, 8], np.uint64)))

    assert pool.take(np.array([1, 3])).ids.tolist() == [8, 7]


def test_a_place_can_be_used_again():
    pool = Pool()
    pool.put(np.array([0]), Block.of([10]))
    pool.put(np.array([0]), Block.of([11]))

    assert pool.take(np.array([0])).rows() == [11]


def test_elements_are_held_in_memory_of_their_own():
    rows = np.zeros((2, 3))
    pool = Pool()
    block = Block.of(list(rows))
    pool.put(np.array([0, 1]), block)
    taken = pool.take(np.array([0]))
    taken.rows()[0][:] = 5

    assert pool.take(np.array([0])).rows()[0].tolist() == [0, 0, 0]


def test_dicts_with_keys_in_another_order_fit_in():
    pool = Pool()
    pool.put(np.array([0]), Block.of([{"a": 1, "b": 2}]))
    pool.put(np.array([1]), Block.of([{"b": 20, "a": 10}]))

    assert pool.take(np.array([1])).rows() == [{"a": 10, "b": 20}]


def test_elements_of_another_structure_do_not():
    pool = Pool()
    pool.put(np.array([0]), Block.of([1]))

    with pytest.raises(SpecError, match="must all have one structure"):
        pool.put(np.array([1]), Block.of([(1, 2)]))
