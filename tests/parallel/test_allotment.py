import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.parallel.allotment import Demand, allot

demands = st.lists(
    st.builds(Demand, st.floats(1e-5, 1e-1), st.sampled_from([1.0, 0.5, 0.05])),
    min_size=1,
    max_size=4,
)


def slowest(widths, asked):
    return max(demand.work / width for width, demand in zip(widths, asked, strict=True))


@given(demands, st.integers(4, 32), st.floats(1, 1e5))
def test_processors_are_not_exceeded(asked, cpus, rate):
    widths = allot(asked, cpus, rate)

    used = sum(w * d.cpu_share for w, d in zip(widths, asked, strict=True))
    assert used <= cpus + 1e-6


@given(demands, st.floats(1, 1e4))
def test_with_enough_processors_the_rate_is_reached(asked, rate):
    assert slowest(allot(asked, 1e9, rate), asked) * rate <= 1


@given(demands, st.floats(1, 1e4))
def test_no_stage_has_a_worker_that_the_rate_does_not_need(asked, rate):
    widths = allot(asked, 1e9, rate, headroom=1.0)

    spare = [w for w, d in zip(widths, asked, strict=True) if w > 1 and d.work * rate <= w - 1]
    assert spare == []


@pytest.mark.parametrize("most", [1, 2])
def test_stages_need_no_more_than_one_that_cannot_have_more(most):
    asked = [Demand(0.04, most=most), Demand(0.04)]

    assert allot(asked, 16, 1e6, headroom=1.0) == [most, most]


def test_a_stage_has_the_fewest_workers_it_may_have_even_if_it_needs_none():
    assert allot([Demand(1e-6, least=3)], 8, 1.0) == [3]
