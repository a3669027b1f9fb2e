"""Everything a running pipeline has to work beside the thread that iterates."""

from __future__ import annotations

import threading

import pytest

from feedline.kernel_threads import allow_kernel_threads, kernel_threads
from feedline.options import Options
from feedline.parallel.tasks import Lane
from feedline.parallel.workers import Workers


@pytest.fixture
def workers():
    made = Workers(Options())
    yield made
    made.close()


def test_after_a_rest_there_is_a_new_pool(workers):
    first = workers.tasks
    workers.rest()

    assert first.is_closed
    assert workers.tasks is not first
    assert not workers.tasks.is_closed


def test_a_thread_of_a_closed_pool_waits_for_what_was_begun_there(workers):
    pool = workers.tasks

    def closes():
        pool.close()
        return workers.tasks is pool

    task = pool.submit(closes)
    pool.wait_until(lambda: task.is_done)

    assert pool.finish(task)
    assert workers.tasks is not pool


def test_a_loop_is_closed_with_the_rest(workers):
    loop = workers.loop()
    assert workers.loop() is loop
    workers.rest()

    assert not loop.call_soon(print)
    assert workers.loop() is not loop


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, 8),
        ({"threading.max_intra_op_parallelism": 2}, 2),
        ({"threading.private_threadpool_size": 3}, 3),
        ({"autotune.cpu_budget": 4}, 1),
    ],
)
def test_kernels_use_no_more_threads_than_options_say(settings, expected, monkeypatch):
    monkeypatch.setattr("feedline.kernel_threads.available_cpus", lambda: 8)
    options = Options()
    for name, value in settings.items():
        part, _, setting = name.partition(".")
        setattr(getattr(options, part), setting, value)
    workers = Workers(options)
    workers.asked(0)

    assert kernel_threads() == expected
    assert workers.tasks.finish(workers.tasks.submit(kernel_threads)) == expected
    workers.close()
    allow_kernel_threads(None)


def test_a_pool_that_ctrl_c_kept_from_closing_is_closed_before_the_next(workers, monkeypatch):
    pool, ready = workers.tasks, threading.Event()
    for _ in range(2):
        pool.submit(ready.wait, Lane(2))
    ready.set()
    with monkeypatch.context() as patch:
        patch.setattr(pool._work, "notify_all", _pressed)
        with pytest.raises(KeyboardInterrupt):
            workers.rest()

    assert workers.tasks is not pool
    assert pool.num_threads == 0


def _pressed():
    raise KeyboardInterrupt
