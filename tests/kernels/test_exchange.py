"""The draws of a shuffle buffer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.exchange import exchange, exchange_twin

BOTH = pytest.mark.parametrize("swap", [exchange, exchange_twin])


@st.composite
def buffers(draw):
    capacity = draw(st.integers(1, 40))
    front = draw(st.integers(0, 100))
    held = draw(st.integers(0, capacity))
    num_arriving = draw(st.integers(0, 60))
    count = draw(st.integers(0, held + num_arriving))
    draws = draw(st.lists(st.integers(0, 2**32 - 1), min_size=count, max_size=count))
    ring = np.arange(1000, 1000 + capacity)
    return ring, front, held, np.arange(num_arriving), np.array(draws, np.uint32)


@given(buffers())
def test_native_equals_twin(buffer):
    ring, *rest = buffer
    other = ring.copy()
    out, expected = exchange(ring, *rest), exchange_twin(other, *rest)

    assert out.dtype == np.int64
    assert out.tolist() == expected.tolist()
    assert ring.tolist() == other.tolist()


@BOTH
def test_every_handle_comes_out_once(swap):
    draws = np.random.default_rng(0).integers(0, 2**32, 100, np.uint32)

    out = swap(np.arange(10), 0, 10, np.arange(10, 100), draws)

    assert sorted(out.tolist()) == list(range(100))


@BOTH
def test_numbers_may_lie_apart_and_be_read_only(swap):
    arriving, draws = np.arange(20)[::2], np.arange(12, dtype=np.uint32)[::-1]
    arriving.flags.writeable = False

    out = swap(np.arange(100, 104), 0, 4, arriving, draws)

    assert out.tolist() == swap(np.arange(100, 104), 0, 4, arriving.copy(), draws.copy()).tolist()


@BOTH
@pytest.mark.parametrize(
    ("capacity", "front", "held", "num_arriving"),
    [(3, 0, 3, 0), (3, 0, 0, 3), (3, 0, 4, 9), (3, 0, -1, 9), (3, -1, 3, 9), (0, 0, 0, 9)],
)
def test_more_draws_than_handles_change_nothing(swap, capacity, front, held, num_arriving):
    ring = np.arange(capacity)

    with pytest.raises(ValueError, match=r"held|front"):
        swap(ring, front, held, np.arange(num_arriving), np.zeros(4, np.uint32))

    assert ring.tolist() == list(range(capacity))


@BOTH
def test_a_ring_that_must_not_change_is_refused(swap):
    ring = np.arange(3)
    ring.flags.writeable = False

    with pytest.raises((TypeError, ValueError)):
        swap(ring, 0, 2, np.arange(2), np.zeros(2, np.uint32))
