"""Threads that wait for a change, wherever Ctrl-C strikes."""

import threading

import pytest

from feedline.parallel.tasks import Tasks
from feedline.waiting import Waiters


def test_all_that_wait_are_woken():
    lock, ready, woken = threading.RLock(), [], []
    waiters = Waiters(lock)

    def wait():
        woken.append(waiters.wait_for(looked))

    def looked():
        has_looked.release()
        return ready and ready[0]

    has_looked = threading.Semaphore(0)
    threads = [threading.Thread(target=wait) for _ in range(5)]
    for thread in threads:
        thread.start()
        has_looked.acquire()
    with lock:
        ready.append("now")
        waiters.wake_all()
    for thread in threads:
        thread.join()

    assert woken == ["now"] * 5


def test_one_that_gave_up_waiting_keeps_nobody_from_being_woken():
    waiters = Waiters(threading.RLock())
    first, second = waiters._add(), waiters._add()
    first.release()  # as a signal handler, or an interrupted call, would have done it

    waiters.wake_all()

    assert second.acquire(blocking=False)


def test_ctrl_c_while_a_task_is_waited_for_leaves_the_lock_to_others(monkeypatch):
    tasks, may_go = Tasks(), threading.Event()
    task = tasks.submit(may_go.wait)
    add = Waiters._add

    class Pressed:
        def acquire(self):
            raise KeyboardInterrupt

    def added(self):
        add(self)
        return Pressed()

    with monkeypatch.context() as patch:
        patch.setattr(Waiters, "_add", added)
        with pytest.raises(KeyboardInterrupt):
            tasks.wait_until(lambda: task.is_done)

    may_go.set()
    tasks.wait_until(lambda: task.is_done)
    assert tasks.finish(task)
    tasks.close()
