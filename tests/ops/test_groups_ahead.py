"""Groups of rows read by threads."""

import threading

import pytest

from feedline.ops import groups_ahead
from feedline.ops.groups_ahead import GroupsAhead


@pytest.fixture(autouse=True)
def two_threads(monkeypatch):
    monkeypatch.setattr(groups_ahead, "_threads", lambda: 2)


def threads():
    return [t.name for t in threading.enumerate() if t.name.startswith("feedline-groups")]


def test_what_follows_is_read_and_taken_once():
    read = []
    ahead = GroupsAhead([1] * 10, lambda number: read.append(number) or number)
    ahead.follow(0)

    assert [ahead.take(1), ahead.take(1), ahead.take(2), ahead.take(3)] == [1, None, 2, None]
    assert sorted(read) == [1, 2]
    ahead.close()
    assert threads() == []


def test_no_more_bytes_are_read_than_allowed(monkeypatch):
    monkeypatch.setattr(groups_ahead, "_MOST_BYTES", 25)
    ahead = GroupsAhead([10, 20, 10, 10], lambda number: number)
    ahead.follow(0)

    assert [ahead.take(1), ahead.take(2)] == [1, None]
    ahead.close()


def test_elsewhere_others_are_read():
    ahead = GroupsAhead([1] * 10, lambda number: number)
    ahead.follow(0)
    ahead.follow(6)

    assert [ahead.take(1), ahead.take(7), ahead.take(8)] == [None, 7, 8]
    ahead.close()


def test_nothing_follows_the_last():
    ahead = GroupsAhead([1, 1], lambda number: number)
    ahead.follow(1)

    assert threads() == []
    ahead.close()


def test_a_failure_is_raised_for_the_group_it_belongs_to():
    def read(number):
        if number == 2:
            raise KeyError(number)
        return number

    ahead = GroupsAhead([1] * 4, read)
    ahead.follow(0)

    assert ahead.take(1) == 1
    with pytest.raises(KeyError):
        ahead.take(2)
    ahead.close()


def test_dropping_it_ends_the_threads():
    ahead = GroupsAhead([1] * 10, lambda number: number)
    ahead.follow(0)
    del ahead

    assert threads() == []


def test_what_was_not_begun_is_not_read_once_it_is_closed(monkeypatch):
    monkeypatch.setattr(groups_ahead, "_threads", lambda: 1)
    begun, may_end, read = threading.Event(), threading.Event(), []

    def slow(number):
        read.append(number)
        begun.set()
        may_end.wait()
        return number

    ahead = GroupsAhead([1] * 10, slow)
    ahead.follow(0)
    begun.wait()
    ahead.follow(6)
    shutdown = ahead._pool.shutdown

    def ended(wait, cancel_futures):
        shutdown(wait=False, cancel_futures=cancel_futures)
        may_end.set()
        shutdown(wait=wait)

    ahead._pool.shutdown = ended
    ahead.close()

    assert read == [1]
