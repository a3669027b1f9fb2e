import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.block import Block
from feedline.engine.grouping import GroupingExec
from feedline.errors import SpecError
from tests.engine.fakes import numbers_stream, stream_of

LIMITS = st.integers(1, 6)


class Tens(GroupingExec):
    """Groups of numbers; refuses the group that holds ``bad``."""

    def __init__(self, stream, size, drop_remainder=False, bad=None, **settings):
        super().__init__(stream, size, drop_remainder, **settings)
        self._bad = bad

    def group(self, block, first):
        rows = [int(row) for row in block.rows()]
        if self._bad in rows:
            raise SpecError(f"group at {first}")
        groups = [rows[at : at + self._size] for at in range(0, len(rows), self._size)]
        return Block.of([np.array(group) for group in groups])


def read_all(stream, limit=2):
    found = []
    while True:
        try:
            block = stream.pull(limit)
        except (KeyError, SpecError) as error:
            found.append(str(error))
            continue
        if block is None:
            return found
        found.extend(row.tolist() for row in block.rows())


def groups_of(count, size):
    return [list(range(at, min(at + size, count))) for at in range(0, count, size)]


@given(st.integers(0, 12), LIMITS, LIMITS, LIMITS)
def test_runs_become_groups_whatever_the_sizes(count, size, limit, most):
    stream = stream_of(Tens(numbers_stream(count, most=most), size))

    assert read_all(stream, limit) == groups_of(count, size)


@given(st.integers(0, 12), LIMITS, LIMITS)
def test_a_short_last_group_can_be_dropped(count, size, limit):
    stream = stream_of(Tens(numbers_stream(count), size, drop_remainder=True))

    assert read_all(stream, limit) == groups_of(count - count % size, size)


@given(st.integers(0, 11), LIMITS, LIMITS, LIMITS)
def test_a_group_that_does_not_fit_costs_itself_alone(bad, size, limit, most):
    stream = stream_of(Tens(numbers_stream(12, most=most), size, bad=bad))
    expected = groups_of(12, size)
    expected[bad // size] = f"group at {bad // size * size}"

    assert read_all(stream, limit) == expected


@given(st.integers(0, 11), LIMITS, LIMITS, LIMITS, LIMITS)
def test_a_failure_drops_the_group_that_was_begun(failing, size, limit, other, most):
    once = read_all(stream_of(Tens(numbers_stream(12, failing={failing}), size)), limit)
    again = read_all(stream_of(Tens(numbers_stream(12, failing={failing}, most=most), size)), other)
    before = failing // size

    assert once == again
    assert once[: before + 1] == [*groups_of(before * size, size), f"{failing}"]
    assert [x for group in once[before + 1 :] for x in group] == list(range(failing + 1, 12))


@given(st.integers(0, 11), LIMITS, LIMITS)
def test_a_failing_element_may_keep_its_place(failing, size, limit):
    numbers = numbers_stream(12, failing={failing})
    stream = stream_of(Tens(numbers, size, keeps_places=True))
    expected = groups_of(12, size)
    expected[failing // size] = f"{failing}"

    assert read_all(stream, limit) == expected


@given(st.integers(0, 11), st.integers(0, 11), LIMITS, LIMITS, st.integers(0, 6))
def test_a_state_after_any_pull_continues(bad, failing, size, limit, pulls):
    def fresh():
        return stream_of(Tens(numbers_stream(12, failing={failing}), size, bad=bad))

    stream, done = fresh(), []
    for _ in range(pulls):
        try:
            block = stream.pull(limit)
            done.extend([] if block is None else [row.tolist() for row in block.rows()])
        except (KeyError, SpecError) as error:
            done.append(str(error))
    again = fresh()
    again.restore(stream.state())

    assert done + read_all(again, limit) == read_all(fresh(), limit)


@given(st.integers(0, 12), LIMITS, st.booleans(), st.integers(0, 9))
def test_skipping_goes_past_whole_groups(count, size, drop_remainder, skipped):
    stream = stream_of(Tens(numbers_stream(count), size, drop_remainder))
    expected = groups_of(count - count % size if drop_remainder else count, size)

    assert stream.discard(skipped) == min(skipped, len(expected))
    assert read_all(stream) == expected[skipped:]


def test_grouping_itself_groups_nothing():
    with pytest.raises(NotImplementedError):
        GroupingExec(numbers_stream(3), 2, False).pull(1)
