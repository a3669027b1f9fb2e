"""A random order computed place by place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.permutation import permute, permute_twin

BOTH = pytest.mark.parametrize("order", [permute, permute_twin])


@given(st.data(), st.integers(1, 2**63 - 1), st.integers(-(2**70), 2**70))
def test_native_equals_twin(data, length, key):
    places = data.draw(st.lists(st.integers(0, length - 1), max_size=20))
    index = np.array(places, np.int64)

    out = permute(index, length, key)

    assert out.dtype == np.int64
    assert out.tolist() == permute_twin(index, length, key).tolist()


@BOTH
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 17, 256, 1000])
def test_every_place_is_hit_once(order, length):
    assert sorted(order(np.arange(length), length, 5).tolist()) == list(range(length))


@BOTH
def test_another_key_is_another_order(order):
    assert order(np.arange(100), 100, 1).tolist() != order(np.arange(100), 100, 2).tolist()


@BOTH
def test_a_view_with_a_stride_is_read_right(order):
    index = np.arange(50)

    assert order(index[::-3], 50, 1).tolist() == order(index, 50, 1)[::-3].tolist()


@BOTH
@pytest.mark.parametrize("length", [0, 1, 10])
def test_no_index_gives_nothing(order, length):
    assert order(np.empty(0, np.int64), length, 1).tolist() == []


@BOTH
@pytest.mark.parametrize(("place", "length"), [(-1, 5), (5, 5), (1, 1), (0, 0), (-(2**63), 5)])
def test_a_place_outside_is_refused(order, place, length):
    with pytest.raises(IndexError):
        order(np.array([place]), length, 1)
