"""AheadExec: the elements and states of its input, some of them computed in other threads."""

import threading
import time

import pytest

from feedline.engine.ahead import AheadExec
from feedline.engine.meter import Meter
from feedline.engine.stream import Stream
from feedline.options import Options
from feedline.parallel.room import Memory, Room
from feedline.parallel.workers import Workers
from tests.engine.fakes import NumbersExec, numbers_stream, stream_of


@pytest.fixture
def workers():
    found = Workers(Options())
    yield found
    found.close()


def ahead_of(stream, workers, elements=8, memory=None):
    operator = AheadExec(stream, workers, Room(memory or Memory(), elements))
    return Stream(operator, 1 << 40, Meter(stream.meter.step))


def rest_of(stream):
    found = []
    while (block := stream.pull(100)) is not None:
        found += block.rows()
    return found


@pytest.mark.parametrize("elements", [0, 1, 3, 100])
def test_the_elements_are_those_of_the_input(workers, elements):
    assert rest_of(ahead_of(numbers_stream(50), workers, elements)) == list(range(50))


@pytest.mark.parametrize("elements", [0, 1, 3, 100])
def test_a_state_after_any_element_continues_with_or_without_it(workers, elements):
    for cut in range(12):
        stream = ahead_of(numbers_stream(12), workers, elements)
        for _ in range(cut):
            stream.pull(1)
        state = stream.state()
        plain, again = numbers_stream(12), ahead_of(numbers_stream(12), workers, elements)
        plain.restore(state)
        again.restore(state)

        assert rest_of(plain) == rest_of(again) == list(range(cut, 12))
        stream.close()


def test_a_failure_comes_where_it_belongs_and_the_rest_after_it(workers):
    stream = ahead_of(numbers_stream(6, failing={3}), workers)

    assert [stream.pull(1).rows() for _ in range(3)] == [[0], [1], [2]]
    with pytest.raises(KeyError):
        stream.pull(1)
    assert rest_of(stream) == [4, 5]


def test_skipping_goes_past_what_is_ready_and_what_is_not(workers):
    stream = ahead_of(numbers_stream(50), workers, 10)
    stream.pull(1)
    stream.discard(20)

    assert rest_of(stream) == list(range(21, 50))


def test_no_more_is_ready_than_there_is_room_for(workers):
    operator = NumbersExec(1000)
    stream = ahead_of(stream_of(operator), workers, 5)
    stream.pull(1)
    deadline = time.monotonic() + 5
    while sum(operator.limits) < 6 and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(0.02)

    assert sum(operator.limits) <= 1 + 5 + 1
    stream.close()


def test_nothing_is_made_ready_when_memory_is_full(workers):
    memory = Memory(limit=1)
    memory.add(1)
    operator = NumbersExec(1000)
    stream = ahead_of(stream_of(operator), workers, 100, memory)

    assert stream.pull(1).rows() == [0]
    assert sum(operator.limits) == 1
    assert rest_of(stream) == list(range(1, 1000))


def test_closing_while_it_pulls_leaves_no_thread(workers):
    stream = ahead_of(numbers_stream(100_000), workers, 1000)
    stream.pull(1)
    stream.close()
    workers.close()

    assert not [t for t in threading.enumerate() if t.name.startswith("feedline")]
    assert workers.memory.held == 0
