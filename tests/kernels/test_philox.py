"""The random stream: equal to the published one, in any part, for any seeds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.philox import philox_stream, philox_stream_twin

SEEDS = st.integers(-(2**70), 2**70)
BOTH = pytest.mark.parametrize("stream", [philox_stream, philox_stream_twin])


@given(SEEDS, SEEDS, st.integers(0, 2**62), st.integers(0, 70))
def test_native_equals_twin(seed, seed2, start, count):
    numbers = philox_stream(seed, seed2, start, count)

    assert numbers.dtype == np.uint32
    assert numbers.tolist() == philox_stream_twin(seed, seed2, start, count).tolist()


@BOTH
def test_zeros_give_the_numbers_published_with_the_algorithm(stream):
    assert stream(0, 0, 0, 4).tolist() == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


@BOTH
@pytest.mark.parametrize("start", range(9))
def test_any_part_is_computed_without_what_came_before(stream, start):
    assert stream(3, 4, start, 7).tolist() == stream(3, 4, 0, 16)[start : start + 7].tolist()


@BOTH
def test_only_the_low_64_bits_of_a_seed_count(stream):
    assert stream(-1, 2**63, 0, 8).tolist() == stream(2**64 - 1, -(2**63), 0, 8).tolist()


@BOTH
@pytest.mark.parametrize(("start", "count"), [(-1, 4), (0, -1), (2**63 - 4, 4)])
def test_a_part_outside_the_stream_is_refused(stream, start, count):
    with pytest.raises(ValueError, match="start and count"):
        stream(1, 2, start, count)
