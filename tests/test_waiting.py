"""Threads that wait for a change, wherever Ctrl-C strikes."""

import threading

import pytest

from feedline.parallel.tasks import Tasks
from feedline.waiting import Waiters


def test_all_that_wait_are_woken():
    lock, waiters, woken = threading.Lock(), Waiters(), []

    def wait():
        with lock:
            waiter = waiters.add()
        added.release()
        waiter.acquire()
        woken.append(1)

    added = threading.Semaphore(0)
    threads = [threading.Thread(target=wait) for _ in range(5)]
    for thread in threads:
        thread.start()
        added.acquire()
    with lock:
        waiters.wake_all()
    for thread in threads:
        thread.join()

    assert len(woken) == 5


def test_one_that_gave_up_waiting_keeps_nobody_from_being_woken():
    waiters = Waiters()
    first, second = waiters.add(), waiters.add()
    first.release()  # as a signal handler, or an interrupted call, would have done it

    waiters.wake_all()

    assert second.acquire(blocking=False)


def test_ctrl_c_while_a_task_is_waited_for_leaves_the_lock_to_others(monkeypatch):
    tasks, may_go = Tasks(), threading.Event()
    task = tasks.submit(may_go.wait)
    add = Waiters.add

    class Pressed:
        def acquire(self):
            raise KeyboardInterrupt

    def added(self):
        add(self)
        return Pressed()

    with monkeypatch.context() as patch:
        patch.setattr(Waiters, "add", added)
        with pytest.raises(KeyboardInterrupt):
            tasks.wait_until(lambda: task.is_done)

    may_go.set()
    tasks.wait_until(lambda: task.is_done)
    assert tasks.finish(task)
    tasks.close()
