"""How many calls that mostly wait run at once."""

from __future__ import annotations

import heapq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.parallel.waiting_stage import FIRST_WIDTH, MOST_WIDTH, WaitingStage


def simulated(calls, served_at_once, takes_ns=20_000_000, width=FIRST_WIDTH, grows=True):
    """Return a stage after calls to a server that serves so many at once, by a clock of ours."""
    now = 0
    stage = WaitingStage("f", "threads", grows=grows, clock=lambda: now)
    stage.set_width(width)
    running, free = [], [0] * served_at_once
    for _ in range(calls):
        while len(running) < stage.width:
            begins = max(now, heapq.heappop(free))
            heapq.heappush(free, begins + takes_ns)
            heapq.heappush(running, begins + takes_ns)
        now = heapq.heappop(running)
        stage.done(1, 8, takes_ns)
    return stage


@pytest.mark.parametrize("served", [16, 32, 64, 128])
def test_as_many_calls_run_as_help(served):
    assert served / 2 <= simulated(20_000, served).width <= 2 * served


def test_there_is_a_limit():
    assert simulated(40_000, 10_000).width == MOST_WIDTH


def test_fewer_than_at_first_is_possible():
    assert simulated(20_000, 1).width <= FIRST_WIDTH


def test_a_width_that_the_user_set_stays():
    assert simulated(5_000, 100, width=3, grows=False).width == 3


def test_a_run_has_one_element():
    assert simulated(1_000, 100).run_length() == 1


@given(st.integers(1, 300), st.integers(1_000, 200_000_000))
def test_the_width_is_always_possible(served, takes_ns):
    assert 1 <= simulated(3_000, served, takes_ns).width <= MOST_WIDTH
