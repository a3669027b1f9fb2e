"""Hashes of integers and of ids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.mix_ids import mix, mix_ids, mix_ids_twin

BOTH = pytest.mark.parametrize("mixer", [mix_ids, mix_ids_twin])


@given(st.lists(st.integers(0, 2**64 - 1), max_size=20), st.integers(-(2**70), 2**70))
def test_native_equals_twin(numbers, word):
    ids = np.array(numbers, np.uint64)

    out = mix_ids(ids, word)

    assert out.dtype == np.uint64
    assert out.tolist() == mix_ids_twin(ids, word).tolist()
    assert ids.tolist() == numbers


@BOTH
def test_ids_stay_different(mixer):
    assert len(set(mixer(np.arange(1000, dtype=np.uint64), 7).tolist())) == 1000


@BOTH
def test_a_view_with_a_stride_is_read_right(mixer):
    ids = np.arange(100, dtype=np.uint64)

    assert mixer(ids[::7], 3).tolist() == mixer(ids, 3)[::7].tolist()


@BOTH
def test_numbers_that_start_at_an_odd_address_are_read_right(mixer):
    ids = np.arange(5, dtype=np.uint64)
    odd = np.frombuffer(b"x" + ids.tobytes(), np.uint64, offset=1)

    assert mixer(odd, 3).tolist() == mixer(ids, 3).tolist()


def test_the_order_of_words_matters():
    assert mix(1, 2) != mix(2, 1)
    assert mix() == 0
    assert mix(-1) == mix(2**64 - 1)
