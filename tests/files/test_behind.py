"""Calls made by a thread that may lag behind."""

import threading

import pytest

from feedline.files.behind import Behind


def test_calls_are_made_in_order_by_another_thread():
    done, threads = [], set()

    def call(number):
        done.append(number)
        threads.add(threading.current_thread().name)

    with Behind(100, "lagging") as behind:
        for number in range(50):
            behind.put(lambda number=number: call(number), 7)
        behind.finish()

        assert done == list(range(50))
        assert threads == {"lagging"}


def test_no_more_waits_than_is_allowed():
    may_go, waiting, most = threading.Event(), [], []

    def call():
        may_go.wait()
        most.append(len(waiting))
        waiting.pop()

    with Behind(30, "lagging") as behind:
        threading.Timer(0.05, may_go.set).start()
        for _ in range(20):
            behind.put(call, 10)
            waiting.append(1)
        behind.finish()

    assert max(most) <= 30 // 10 + 2  # one is being made, and one was just put


def test_one_call_may_be_larger_than_all_that_may_wait():
    done = []
    with Behind(1, "lagging") as behind:
        behind.put(lambda: done.append(1), 1000)
        behind.put(lambda: done.append(2), 1000)
        behind.finish()

    assert done == [1, 2]


def test_a_failure_is_raised_and_ends_the_calls():
    may_go, done = threading.Event(), []

    def fail():
        may_go.wait()
        raise KeyError("no")

    with Behind(1000, "lagging") as behind:
        behind.put(fail, 1)
        behind.put(lambda: done.append(1), 1)
        may_go.set()
        with pytest.raises(KeyError):
            behind.finish()
        with pytest.raises(KeyError):
            behind.put(lambda: done.append(2), 1)

    assert done == []


def test_what_was_not_begun_is_dropped_when_it_is_closed():
    may_go, begun, done = threading.Event(), threading.Event(), []

    def first():
        begun.set()
        may_go.wait()
        done.append(1)

    behind = Behind(1000, "lagging")
    behind.put(first, 1)
    behind.put(lambda: done.append(2), 1)
    begun.wait()
    threading.Timer(0.05, may_go.set).start()
    behind.close()
    behind.close()

    assert done == [1]
    assert [t for t in threading.enumerate() if t.name == "lagging"] == []


def test_there_is_no_thread_before_there_is_something_to_do():
    # Ctrl-C may come before anybody could end it.
    behind = Behind(100, "lagging")
    assert "lagging" not in [thread.name for thread in threading.enumerate()]
    behind.close()
