"""Tasks: work is done once, by whoever comes first, and a pool of any size gets it done."""

import threading
import time

import numpy as np
import pytest

from feedline import kernel_threads as kernel_threads_module
from feedline.kernel_threads import kernel_threads
from feedline.parallel.tasks import Lane, Tasks


@pytest.fixture(params=[None, 1, 3])
def tasks(request):
    pool = Tasks(request.param)
    yield pool
    pool.close()


def test_results_are_those_of_the_work(tasks):
    submitted = [tasks.submit(lambda n=n: n * n) for n in range(20)]

    assert [tasks.finish(task) for task in submitted] == [n * n for n in range(20)]


def test_an_exception_is_raised_where_the_result_is_asked_for(tasks):
    task = tasks.submit(lambda: {}["key"])

    with pytest.raises(KeyError):
        tasks.finish(task)


def test_work_that_waits_for_other_work_ends_in_a_pool_of_any_size(tasks):
    def depth(left):
        return 0 if not left else 1 + tasks.finish(tasks.submit(lambda: depth(left - 1)))

    assert tasks.finish(tasks.submit(lambda: depth(20))) == 20


def test_whoever_does_a_task_cannot_wait_for_the_pool_and_others_can(tasks):
    task = tasks.submit(lambda: tasks.is_in_one)

    assert tasks.finish(task)
    assert not tasks.is_in_one


def test_a_task_closes_the_pool_whoever_does_it(tasks):
    task = tasks.submit(tasks.close)
    while not task.is_done and tasks._claim(task):  # here, unless a thread was faster
        tasks._run(task)

    assert tasks.finish(task) is None


@pytest.mark.parametrize("where", ["_run", "_end"])
def test_ctrl_c_between_two_steps_leaves_no_task_that_others_wait_for(monkeypatch, where):
    tasks = Tasks(0)
    task, method = tasks.submit(int), getattr(tasks, where)

    def interrupted(*args):
        monkeypatch.setattr(tasks, where, method)
        raise KeyboardInterrupt

    monkeypatch.setattr(tasks, where, interrupted)
    with pytest.raises(KeyboardInterrupt):
        tasks.finish(task)

    assert task.is_done
    tasks.close()


def test_a_lane_lets_no_more_than_its_width_run_at_once(tasks):
    lane, running, most = Lane(2), set(), []

    def work(number):
        running.add(number)
        most.append(len(running))
        time.sleep(0.002)
        running.discard(number)

    submitted = [tasks.submit(lambda n=n: work(n), lane) for n in range(20)]
    for task in submitted:
        tasks.finish(task)

    assert max(most) <= 2


def test_a_lane_that_is_widened_runs_more_at_once():
    tasks, lane, both = Tasks(), Lane(1), threading.Barrier(2, timeout=10)
    submitted = [tasks.submit(both.wait, lane) for _ in range(2)]
    tasks.widen(lane, 2)

    assert sorted(tasks.finish(task) for task in submitted) == [0, 1]
    tasks.close()


def begun(tasks, lane, until):
    """Return a task that a thread works on until something happens."""
    has_begun = threading.Event()

    def work():
        has_begun.set()
        until.wait()

    task = tasks.submit(work, lane)
    assert has_begun.wait(20)
    return task


def test_what_the_reader_ends_makes_room_for_another_thread():
    tasks, lane, never = Tasks(), Lane(1), threading.Event()
    begun(tasks, lane, never)
    mine, done = tasks.submit(lambda: 1, lane), threading.Event()
    tasks.submit(done.set, lane)
    lane.width = 2  # without waking anybody: room that this thread takes first

    assert tasks.finish(mine) == 1
    assert done.wait(20)
    never.set()
    tasks.close()


def test_a_thread_that_goes_on_with_another_lane_leaves_its_own_to_others():
    tasks, one, other = Tasks(), Lane(1), Lane(1)
    held, never = threading.Event(), threading.Event()
    busy = tasks.promise(other)
    begun(tasks, one, held)
    tasks.submit(never.wait, other)
    done = threading.Event()
    tasks.submit(done.set, one)
    other.width = 2  # so that the thread of the first goes on there
    held.set()

    assert done.wait(20)
    never.set()
    tasks.fulfil(busy, None)
    tasks.close()


def test_no_more_threads_compute_than_there_are_processors_to_use():
    tasks, running, most = Tasks(cpus=2), set(), []

    def work(number):
        running.add(number)
        most.append(len(running))
        time.sleep(0.002)
        running.discard(number)

    lane = Lane(8)
    with tasks.computing():
        submitted = [tasks.submit(lambda n=n: work(n), lane) for n in range(20)]
        for task in submitted:
            tasks.finish(task)
    tasks.close()

    assert max(most) <= 2


def test_a_task_that_nobody_began_can_be_dropped():
    tasks, lane, begun = Tasks(), Lane(1), threading.Event()
    release = threading.Event()
    first = tasks.submit(lambda: (begun.set(), release.wait()), lane)
    second = tasks.submit(lambda: 1 / 0, lane)
    begun.wait()

    assert not tasks.drop(first)
    assert tasks.drop(second)
    release.set()
    tasks.finish(first)
    assert tasks.finish(second) is None
    tasks.close()


def test_closing_waits_for_what_runs_and_drops_the_rest():
    tasks, lane, begun, done = Tasks(), Lane(1), threading.Event(), []

    def work():
        begun.set()
        time.sleep(0.01)
        done.append(1)

    for _ in range(5):
        tasks.submit(work, lane)
    begun.wait()
    tasks.close()

    assert done == [1]
    assert tasks.num_threads == 0
    with pytest.raises(RuntimeError, match="closed"):
        tasks.submit(work)


def test_a_pool_can_be_closed_from_one_of_its_own_threads():
    tasks, closed = Tasks(), threading.Event()
    tasks.submit(lambda: (tasks.close(), closed.set()))

    assert closed.wait(5)


def test_what_the_creating_thread_has_set_holds_in_the_others():
    with np.errstate(divide="raise"):
        tasks = Tasks()
    task = tasks.submit(lambda: np.geterr()["divide"])
    tasks.wait_until(lambda: task.is_done)

    assert tasks.finish(task) == "raise"
    tasks.close()


class ClosedWhileLooking(Tasks):
    """Is closed by one of its threads, as that is about to begin a task."""

    def _may_begin(self, task):
        may = super()._may_begin(task)
        if may and self.is_in_one and not self.is_closed:
            self.close()
        return may


def test_a_pool_that_is_closed_while_a_thread_takes_a_task_leaves_nobody_waiting():
    tasks, errors = ClosedWhileLooking(), []
    before, threading.excepthook = threading.excepthook, errors.append
    task = tasks.submit(lambda: 1)
    tasks.wait_until(lambda: task.is_done)
    tasks.close()
    threading.excepthook = before

    assert errors == []


def test_a_promise_is_done_when_it_is_fulfilled():
    tasks, lane = Tasks(), Lane(1)
    promise = tasks.promise(lane)
    assert not promise.is_done
    assert not tasks.drop(promise)
    tasks.fulfil(promise, 5)

    assert tasks.finish(promise) == 5
    assert (lane.running, lane.waiting) == (0, 0)
    tasks.close()


@pytest.mark.parametrize(("width", "expected"), [(1, 3), (2, 1)])
def test_kernels_have_the_threads_that_are_left_to_a_lane(width, expected, monkeypatch):
    monkeypatch.setattr(kernel_threads_module, "available_cpus", lambda: 8)
    pool = Tasks(kernel_threads=3)
    lane = Lane(width)
    tasks = [pool.submit(kernel_threads, lane) for _ in range(6)]

    assert [pool.finish(task) for task in tasks] == [expected] * 6
    assert kernel_threads() == 8
    pool.close()
