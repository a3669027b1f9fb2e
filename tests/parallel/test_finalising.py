"""What nobody closed is closed where that may wait."""

import gc
import threading
import time

import pytest

import feedline as tf
from feedline.parallel.finalising import close_elsewhere, finalise
from feedline.parallel.processes import Processes


class Held:
    """Tells which thread closed it; a cycle keeps it until a collection."""

    def __init__(self, closed, in_cycle):
        self._closed = closed
        self._self = self if in_cycle else None

    def __del__(self):
        finalise(self.close)

    def close(self):
        self._closed.append(threading.current_thread().name)


def until(is_so):
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_what_is_dropped_is_closed_at_once_by_whoever_had_it():
    closed = []
    Held(closed, in_cycle=False)

    assert closed == [threading.current_thread().name]


def test_what_a_collection_finds_is_closed_by_a_thread_that_ends():
    closed = []
    for _ in range(50):
        Held(closed, in_cycle=True)
    gc.collect()
    until(lambda: len(closed) == 50)

    assert set(closed) == {"feedline-closing"}
    until(lambda: "feedline-closing" not in [t.name for t in threading.enumerate()])


class Slow(Held):
    """Takes its time to be told that it is garbage."""

    def __del__(self):
        time.sleep(0.05)
        self._closed.append("told")
        finalise(self.close)


def test_nothing_is_closed_before_everything_was_told():
    closed = []
    several = [Slow(closed, in_cycle=True) for _ in range(5)]
    del several
    gc.collect()
    until(lambda: len(closed) == 10)

    assert closed == ["told"] * 5 + ["feedline-closing"] * 5


def test_a_collection_in_a_thread_that_holds_a_lock_others_need_does_not_wait_for_them():
    lock, working = threading.Lock(), threading.Event()

    def needs_lock(x):
        working.set()
        with lock:
            return int(x)

    def abandon():
        it = iter(tf.data.Dataset.range(100).map(needs_lock, num_parallel_calls=2).prefetch(2))
        it.itself = it
        next(it)
        return it._run.workers.tasks

    tasks = abandon()
    with lock:
        working.clear()
        gc.collect()
    until(lambda: tasks.is_closed)


@pytest.mark.parametrize("executor", ["processes", "background"])
def test_what_was_leased_is_given_back(executor):
    options = tf.data.Options()
    options.executor = executor
    ds = tf.data.Dataset.range(100).map(str, num_parallel_calls=2, vectorize=False)
    ds = ds.with_options(options)
    for _ in range(3):
        it = iter(ds)
        it.itself = it
        next(it)
        del it
        gc.collect()
    (pool,) = [kept for kept in ds.node.kept.values() if isinstance(kept, Processes)]
    until(lambda: not pool._leased)

    assert len(pool.pids) <= 6
    pool.close()


def test_a_failure_while_closing_is_shown_and_the_others_are_closed(monkeypatch):
    closed, shown = [], []
    monkeypatch.setattr(threading, "excepthook", lambda args: shown.append(str(args.exc_value)))

    def fail():
        raise ValueError("cannot be closed")

    close_elsewhere(fail)
    close_elsewhere(lambda: closed.append(1))
    until(lambda: closed == [1])

    assert shown == ["cannot be closed"]
