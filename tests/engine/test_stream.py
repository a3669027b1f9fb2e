import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import CheckpointError
from tests.engine.fakes import NumbersExec, numbers_stream, read_all, stream_of

LIMITS = st.integers(1, 6)


@given(st.integers(0, 12), LIMITS, LIMITS, LIMITS, st.integers(0, 4))
def test_all_elements_come_in_order_whatever_the_sizes(count, limit, cap, most, extra):
    stream = numbers_stream(count, cap, most=most, extra=extra)

    assert read_all(stream, limit) == list(range(count))
    assert stream.position == count
    assert stream.pull(limit) is None


@given(LIMITS, LIMITS, st.integers(0, 4))
def test_a_pull_returns_at_most_what_was_asked_for(limit, cap, extra):
    block = numbers_stream(20, cap, extra=extra).pull(limit)

    assert 1 <= block.length <= min(limit, cap)


def test_an_operator_is_not_asked_for_more_than_is_wanted():
    operator = NumbersExec(20)
    stream = stream_of(operator, cap=4)
    stream.pull(2)
    stream.pull(9)

    assert operator.limits == [2, 4]


def test_ahead_lets_an_operator_make_more_at_once():
    operator = NumbersExec(20)
    stream = stream_of(operator)
    first = stream.pull(1, ahead=5)

    assert operator.limits == [5]
    assert (first.length, stream.buffered, stream.position) == (1, 4, 1)
    assert stream.pull(9).length == 4


@given(st.integers(0, 12), st.integers(1, 14), LIMITS)
def test_read_returns_exactly_as_many_as_there_are(start, count, most):
    stream = numbers_stream(12, most=most)
    stream.discard(start)
    block = stream.read(count)

    assert (block.length if block else 0) == min(count, 12 - start)


@given(st.lists(st.tuples(st.booleans(), LIMITS), max_size=8), LIMITS, st.integers(0, 4), LIMITS)
def test_a_state_continues_at_any_element(steps, most, extra, cap):
    stream = numbers_stream(20, cap, most=most, extra=extra)
    for skips, count in steps:
        stream.discard(count) if skips else stream.pull(count)
    saved = json.loads(json.dumps(stream.state()))
    position = stream.position
    again = numbers_stream(20, most=most)
    again.restore(saved)

    assert again.position == position
    assert read_all(again) == read_all(stream) == list(range(position, 20))


@given(LIMITS, st.integers(0, 6))
def test_what_is_given_back_comes_again(limit, count):
    stream = numbers_stream(20)
    first = stream.pull(limit).length
    stream.give_back(min(count, first))
    left = first - min(count, first)

    assert stream.position == left
    assert stream.state()["n"] == left
    assert read_all(stream) == list(range(left, 20))


@given(st.sets(st.integers(0, 9)), LIMITS, LIMITS)
def test_a_failure_keeps_its_place_and_the_stream_goes_on(failing, limit, most):
    stream = numbers_stream(10, failing=failing, most=most)

    assert read_all(stream, limit) == [KeyError if n in failing else n for n in range(10)]
    assert stream.position == 10 - len(failing)


def test_a_state_after_a_failure_is_after_the_element_that_failed():
    stream = numbers_stream(5, failing={2})
    stream.pull(9)
    with pytest.raises(KeyError):
        stream.pull(9)
    again = numbers_stream(5, failing={2})
    again.restore(stream.state())

    assert read_all(again) == [3, 4]


@given(st.integers(0, 15), st.integers(0, 15), st.integers(0, 4))
def test_discarding_says_how_many_there_were(first, second, extra):
    stream = numbers_stream(12, extra=extra)
    gone = [stream.discard(first), stream.discard(second)]

    assert sum(gone) == stream.position == min(first + second, 12)
    assert read_all(stream) == list(range(sum(gone), 12))


def test_a_state_that_is_asked_for_twice_is_the_same_and_does_not_change():
    stream = numbers_stream(9)
    stream.pull(2)
    saved = stream.state()
    before = json.dumps(saved)
    stream.pull(3)

    assert json.dumps(saved) == before


def test_a_damaged_state_is_refused():
    stream = numbers_stream(9)
    stream.restore({"n": 3})

    with pytest.raises(CheckpointError, match="the state is damaged: KeyError: 'at'"):
        stream.pull(1)


def test_a_meter_counts_blocks_elements_and_time():
    stream = numbers_stream(10, most=4)
    read_all(stream, 9)

    assert stream.meter.num_elements == 10
    assert stream.meter.num_blocks == 3
    assert stream.meter.busy_ns > 0


def test_closing_closes_the_operator():
    operator = NumbersExec(5)
    stream_of(operator).close()

    assert operator.closed


def test_what_was_filled_comes_without_running_the_operator():
    operator = NumbersExec(9)
    stream = stream_of(operator)
    stream.fill(4)
    stream.fill(4)

    assert (stream.buffered, stream.position, operator.limits) == (4, 0, [4])
    assert read_all(stream, 2) == list(range(9))


def test_a_failure_while_filling_is_raised_when_the_element_is_asked_for():
    stream = numbers_stream(5, failing=[2])
    stream.fill(5)
    stream.pull(2)
    stream.fill(5)

    assert read_all(stream) == [KeyError, 3, 4]


@pytest.mark.parametrize("used", [0, 1, 2])
def test_a_state_saved_after_filling_meets_the_failure_again(used):
    stream = numbers_stream(6, failing=[2])
    stream.fill(3)
    stream.discard(used)
    stream.fill(3)
    resumed = numbers_stream(6, failing=[2])
    resumed.restore(json.loads(json.dumps(stream.state())))

    rest = [0, 1, KeyError, 3, 4, 5][used:]
    assert read_all(resumed) == rest
    assert read_all(stream) == rest


def test_what_is_skipped_is_made_in_blocks_of_bounded_size():
    operator = NumbersExec(100_000)
    stream = stream_of(operator)

    assert stream.discard(99_000) == 99_000
    assert max(operator.limits) <= 4096
    assert read_all(stream)[0] == 99_000


class ElsewhereExec(NumbersExec):
    """Numbers that are out of reach while a state is restored, the first time."""

    def resume(self, counters):
        super().resume({"at": 1})
        raise OSError("out of reach")


def test_a_stream_whose_restore_failed_stays_where_it_was_to_continue_from():
    stream = stream_of(ElsewhereExec(9))
    stream.restore({"n": 5, "at": 5})
    with pytest.raises(OSError, match="out of reach"):
        stream.pull(1)

    for read in (stream.pull, stream.discard):
        with pytest.raises(CheckpointError, match="not be resumed: OSError: out of reach"):
            read(1)
    with pytest.raises(CheckpointError, match="out of reach"):
        stream.at_hand()
    assert stream.position == 5
    assert stream.state() == {"n": 5, "at": 5}


def test_a_stream_that_fails_on_elements_used_before_stays_where_it_was():
    stream = stream_of(NumbersExec(9, failing=[3], most=1))
    state = {"n": 4, "skip": 2, "at": 2}
    stream.restore(state)
    with pytest.raises(KeyError):
        stream.pull(1)

    with pytest.raises(CheckpointError, match="not be resumed: KeyError: 3"):
        stream.pull(1)
    assert (stream.position, stream.state()) == (4, state)


def test_an_operator_that_has_ended_is_not_asked_again():
    operator = NumbersExec(3)
    stream = stream_of(operator)
    assert read_all(stream, 5) == [0, 1, 2]
    asked = len(operator.limits)

    assert stream.pull(1) is None
    stream.fill(1)
    assert stream.is_at_end
    assert len(operator.limits) == asked
