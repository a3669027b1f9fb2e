"""Processes: those that work for one dataset, and are kept from one iteration to the next.

Leased   one thread has calls made by it. If it dies, or its thread is interrupted, it is ended,
         at the latest when that thread leases another one or is in a hurry to close.
Idle     waits for the next thread; after some seconds it is ended.
Ended    when the dataset is gone, or this process ends. If this process is killed, they find
         out themselves.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from feedline.parallel.ending import Rank, at_end, members
from feedline.parallel.finalising import finalise
from feedline.parallel.worker import WorkerProcess, current_folder, end_all
from feedline.waiting import Waiters

__all__ = ["Processes"]

_IDLE_S = 60.0
_GRACE_S = 1.0


class Processes:
    """A pool of processes.

    Args:
        threads: How many threads libraries may use in each.
        idle_s: How long one is kept that has nothing to do; None for as long as the pool.
    """

    def __init__(self, threads: int = 1, idle_s: float | None = _IDLE_S) -> None:
        self._threads = threads
        self._idle_s = idle_s
        # Reentrant: a signal handler may run anywhere and close this pool.
        self._lock = threading.RLock()
        self._returned = Waiters(self._lock)
        self._idle: list[WorkerProcess] = []
        # Each with the thread that has it, or 0 if it was taken.
        self._leased: dict[WorkerProcess, int] = {}
        # Killed, for their thread was interrupted; to be waited for.
        self._abandoned: list[WorkerProcess] = []
        # What leases share: no more than the widest of them asked for.
        self._most = 0
        # Set to have the keeper end.
        self._closing = threading.Event()
        self._keeper: threading.Thread | None = None
        # In a fork of this process the workers belong to somebody else.
        self._owner = os.getpid()
        self._closed = False
        _POOLS.add(self)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        with self._lock:
            return [worker.pid for worker in (*self._idle, *self._leased)]

    @contextmanager
    def lease(self, width: int) -> Iterator[WorkerProcess]:
        """Have a process to oneself, as soon as there is one.

        Args:
            width: How many there may be at least. All of them are started at once.
        """
        thread = threading.get_ident()
        self._abandon(thread)
        self._reap()
        worker = self._returned.wait_for(lambda: self._leased_to(thread, width))
        try:
            yield worker
        finally:
            self.give_back(worker)

    def _leased_to(self, thread: int, width: int) -> WorkerProcess | None:
        """Return a process, or None while as many as may be are leased."""
        self._leave_to_owner()
        self._most = max(self._most, width)
        is_full = not self._closed and len(self._leased) >= self._most
        return None if is_full else self._take(width, thread)

    def take(self, width: int = 1) -> WorkerProcess:
        """Return a process to use until it is given back, however many there are."""
        with self._lock:
            self._leave_to_owner()
            return self._take(width, 0)

    def _take(self, width: int, thread: int) -> WorkerProcess:
        if self._closed:
            raise RuntimeError("the pool of processes is closed")
        folder = current_folder()
        # Wherever this is interrupted, a process is among the idle or the leased ones, or both.
        while self._idle:
            worker = self._idle[-1]
            if worker.is_alive and worker.folder == folder:
                self._leased[worker] = thread
                self._idle.pop()
                return worker
            self._idle.pop()
            end_all([worker])
        worker = WorkerProcess(self._threads)
        self._leased[worker] = thread
        while len(self._leased) + len(self._idle) < width:
            self._idle.append(WorkerProcess(self._threads))
            self._idle[-1].idle_since = monotonic()
        return worker

    def give_back(self, worker: WorkerProcess) -> None:
        """Let others use a process, or end it if it cannot be used any more."""
        if not worker.is_ours:
            return
        with self._lock:
            is_kept = worker in self._leased and worker.is_usable and worker.is_alive
            is_kept = is_kept and not self._closed
            if is_kept:
                worker.idle_since = monotonic()
                self._idle.append(worker)
            self._leased.pop(worker, None)
            self._returned.wake_all()  # one alone might be interrupted
            if is_kept:
                self._watch_idle()
                return
        worker.kill()
        worker.wait(_GRACE_S)

    def _abandon(self, thread: int) -> None:
        """End what a thread, which asks for this, was kept by an interrupt from giving back."""
        with self._lock:
            if thread not in self._leased.values() or self._owner != os.getpid():
                return
            for worker in [w for w, leased_by in self._leased.items() if leased_by == thread]:
                worker.kill()
                self._abandoned.append(worker)
                self._leased.pop(worker, None)
            self._idle = [worker for worker in self._idle if worker not in self._abandoned]
            self._returned.wake_all()

    def _reap(self) -> None:
        """Wait for the end of those that were abandoned."""
        while self._abandoned:
            with self._lock:
                worker = self._abandoned.pop() if self._abandoned else None
            if worker is not None and worker.is_ours:
                worker.wait(_GRACE_S)

    def _leave_to_owner(self) -> None:
        if self._owner != os.getpid():
            for worker in (*self._idle, *self._leased, *self._abandoned):
                worker.forsake()
            self._idle, self._leased, self._abandoned, self._keeper = [], {}, [], None
            self._owner = os.getpid()

    # ---- ending those that are idle -------------------------------------------------------

    def _watch_idle(self) -> None:
        if self._keeper is None and self._idle_s is not None:
            self._keeper = threading.Thread(
                target=_keep, args=(weakref.ref(self), self._closing, self._idle_s), daemon=True
            )
            self._keeper.name = "feedline-keeper"
            self._keeper.start()

    def end_expired(self) -> float | None:
        """End what was idle for long; return in how many seconds to look again."""
        assert self._idle_s is not None
        now = monotonic()
        with self._lock:
            expired = [w for w in self._idle if now - w.idle_since >= self._idle_s]
            self._idle = [w for w in self._idle if w not in expired]
            left = min((w.idle_since for w in self._idle), default=None)
            if left is None:
                self._keeper = None
        end_all(expired)
        return None if left is None else max(0.01, left + self._idle_s - now)

    # ---- ending all -----------------------------------------------------------------------

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Give calls a second to return; those that have not by then are ended."""
        self._abandon(threading.get_ident())
        with self._lock:
            late = list(self._leased)
        # A closed pool has ended them; and threads cannot be started while Python ends.
        if not late or self._closed or self._owner != os.getpid():
            yield
            return
        timer = threading.Timer(_GRACE_S, self._kill, [late])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _kill(self, workers: list[WorkerProcess]) -> None:
        with self._lock:
            for worker in workers:
                if worker in self._leased:
                    worker.kill()

    def close(self) -> None:
        """End all processes; calls that are being made find that their process died."""
        with self._lock:
            self._closed = True
            self._leave_to_owner()
            idle, self._idle = self._idle, []
            self._closing.set()
            self._returned.wake_all()
            keeper, self._keeper = self._keeper, None
            for worker in self._leased:
                worker.kill()  # whoever has it gives it back
        end_all(idle)
        self._reap()
        ours = threading.current_thread()
        if keeper is not None and keeper is not ours and keeper.ident is not None:
            keeper.join()

    def __del__(self) -> None:
        finalise(self.close)


def _keep(pool: weakref.ref[Processes], closing: threading.Event, idle_s: float) -> None:
    """End processes that are idle for long, until there are none."""
    wait: float | None = idle_s
    while wait is not None and not closing.wait(wait):
        processes = pool()
        wait = None if processes is None else processes.end_expired()
        del processes


_POOLS: weakref.WeakSet[Processes] = weakref.WeakSet()


def _close_all(_: float) -> None:
    for pool in members(_POOLS):
        pool.close()


at_end(Rank.PROCESSES, _close_all)
