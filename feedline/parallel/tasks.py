"""tasks: one pool of threads per pipeline, and work that is done exactly once.

Whoever needs the result of a task that nobody has begun does it at once, in their own
thread. So a thread only ever waits for work that another thread is doing, and a pool of any
size, none at all included, gets everything done.

Waiting   submitted; the next free thread takes it, or whoever asks for its result.
Running   in one thread.
Done      with a value, or an exception, which finish() raises.
Dropped   never begun, because the pool was closed.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import contextvars
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import TracebackType
from typing import Any

from feedline.files.attended import GIVE_UP
from feedline.kernel_threads import allow_kernel_threads
from feedline.parallel.ending import Rank, at_end, members
from feedline.waiting import Waiters

__all__ = ["Lane", "Task", "Tasks"]

# A pool grows as work is submitted: steps of a plan limit how much of theirs runs at once.
_MOST_THREADS = 1024

_WAITING, _RUNNING, _DONE = range(3)


class Lane:
    """Tasks of one kind, of which at most ``width`` run at once.

    ``computes`` says that they compute, rather than wait for something else.
    """

    __slots__ = ("computes", "running", "waiting", "width")

    def __init__(self, width: int, computes: bool = True) -> None:
        self.width = width
        self.computes = computes
        self.running = 0
        self.waiting = 0


class Task:
    """A piece of work and, in the end, what came of it."""

    __slots__ = ("doer", "error", "lane", "stage", "traceback", "value", "work")

    def __init__(self, work: Callable[[], Any], lane: Lane) -> None:
        self.work: Callable[[], Any] | None = work
        self.lane = lane
        self.stage = _WAITING
        self.doer = 0  # the thread that has begun it
        self.value: Any = None
        self.error: BaseException | None = None
        self.traceback: TracebackType | None = None

    @property
    def is_done(self) -> bool:
        """Whether finish() would return at once."""
        return self.stage == _DONE

    def result(self) -> Any:
        """Hand out what came of it, once: results may be large, and failures hold frames."""
        value, self.value = self.value, None
        if self.error is not None:
            # Not longer each time: whoever asks again gets the same.
            raise self.error.with_traceback(self.traceback)
        return value


class Tasks:
    """A pool of threads.

    Args:
        most_threads: How many threads there may be; None for as many as there is work.
        cpus: How many may compute at once, the thread that iterates included; None for no
            limit. A thread that waits for another does not count.
        name: Shown by debuggers.
        begin: Called first in every thread.
        kernel_threads: How many threads a kernel may use that is called by a thread alone.
    """

    def __init__(
        self,
        most_threads: int | None = None,
        cpus: int | None = None,
        name: str = "feedline",
        begin: Callable[[], None] | None = None,
        kernel_threads: int | None = None,
    ) -> None:
        self._most_threads = _MOST_THREADS if most_threads is None else most_threads
        self._cpus = cpus
        self._name = name
        self._begin_thread = begin
        self._kernel_threads = kernel_threads
        # Reentrant: a signal handler may run anywhere and close this pool.
        self._lock = threading.RLock()
        self._changed = Waiters(self._lock)
        # Only threads of the pool wait for it, which Ctrl-C does not strike.
        self._work = threading.Condition(self._lock)
        self._queue: deque[Task] = deque()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._computing = 0
        self._closed = self._is_stuck = False
        self._counting = threading.local()
        # What the thread that iterates has set, such as np.errstate, holds in ours too.
        self._context = contextvars.copy_context()
        # Set when what threads wait for far away is not worth waiting for any more.
        self._give_up = threading.Event()
        self._context.run(GIVE_UP.set, self._give_up)

    # ---- submitting and waiting ------------------------------------------------------

    def submit(self, work: Callable[[], Any], lane: Lane | None = None) -> Task:
        """Have work done by some thread, as soon as its lane allows."""
        lane = Lane(1) if lane is None else lane
        task = Task(work, lane)
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is closed")
            self._queue.append(task)
            lane.waiting += 1
            if lane.running + lane.waiting <= lane.width:
                self._wake_thread()
        return task

    def promise(self, lane: Lane) -> Task:
        """Return a task that is done elsewhere, and fulfilled when it is."""
        task = Task(_nothing, lane)
        with self._lock:
            lane.waiting += 1
            self._begin(task)
        task.doer = 0
        return task

    def fulfil(self, task: Task, value: Any) -> None:
        """Note what came of a task that was done elsewhere."""
        task.value = value
        self._end(task)

    def widen(self, lane: Lane, width: int) -> None:
        """Let more, or fewer, tasks of a lane run at once."""
        with self._lock:
            more = min(width - lane.width, lane.waiting)
            lane.width = width
            for _ in range(more):
                self._wake_thread()
            self._changed.wake_all()

    def finish(self, task: Task) -> Any:
        """Return the result of a task: wait for whoever does it, or do it here."""
        try:
            while not task.is_done:
                if self._claim(task):
                    self._run(task)
                else:
                    self.wait_until(lambda: task.is_done or self._may_begin(task))
        except BaseException as error:
            self._leave_off(task, error)
            raise
        return task.result()

    def _leave_off(self, task: Task, error: BaseException) -> None:
        """End a task that Ctrl-C kept this thread from: others would wait for it for ever."""
        if task.stage == _RUNNING and task.doer == threading.get_ident():
            task.error, task.traceback = error, error.__traceback__
            self._end(task)

    def can_begin(self, task: Task) -> bool:
        """Whether nobody has begun a task that its lane allows to begin."""
        with self._lock:
            return self._may_begin(task)

    @property
    def has_thread_for_each(self) -> bool:
        """Whether a thread of the pool begins every task that may begin, if nobody else does."""
        with self._lock:
            return not self._closed and len(self._threads) < self._most_threads

    def drop(self, task: Task) -> bool:
        """Forget a task that nobody has begun; return whether that could be done."""
        try:
            with self._lock:
                if not self._begin(task):
                    return False
            self._end(task)
        except BaseException as error:
            self._leave_off(task, error)
            raise
        return True

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait for what some task or :meth:`announce` makes true."""
        if is_so():
            return
        with self._not_computing():
            self._changed.wait_for(is_so)

    def announce(self) -> None:
        """Wake those that wait: something changed besides a task's end."""
        with self._lock:
            self._changed.wake_all()

    # ---- how many compute ---------------------------------------------------------------

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Count the thread that iterates among those that compute."""
        if self._cpus is None or getattr(self._counting, "here", False):
            yield
            return
        self._begin_computing()
        try:
            yield
        finally:
            self._stop_computing()

    @contextmanager
    def _not_computing(self) -> Iterator[None]:
        if not getattr(self._counting, "here", False):
            yield
            return
        self._stop_computing()
        try:
            yield
        finally:
            self._begin_computing()

    def _begin_computing(self) -> None:
        self._changed.wait_for(self._count_one_more)
        self._counting.here = True

    def _count_one_more(self) -> bool:
        if self._cpus is not None and self._computing >= self._cpus:
            return False
        self._computing += 1
        return True

    def _stop_computing(self) -> None:
        self._counting.here = False
        with self._lock:
            self._computing -= 1
            self._changed.wake_all()

    # ---- running --------------------------------------------------------------------------

    def _may_begin(self, task: Task) -> bool:
        lane = task.lane
        return task.stage == _WAITING and lane.running < max(1, lane.width)

    def _begin(self, task: Task) -> bool:
        """Take a task, if nobody has; with the lock held.

        A signal handler may run at any call, in this thread, and close the pool: there is
        none between the look and the change.
        """
        doer = threading.get_ident()
        if task.stage != _WAITING:
            return False
        task.doer = doer
        task.stage = _RUNNING
        task.lane.waiting -= 1
        task.lane.running += 1
        return True

    def _claim(self, task: Task) -> bool:
        with self._lock:
            return self._may_begin(task) and self._begin(task)

    def _run(self, task: Task, goes_on: bool = False) -> None:
        work = task.work
        assert work is not None
        # Those of a lane share the processors among themselves.
        allowed = allow_kernel_threads(1 if task.lane.width > 1 else self._kernel_threads)
        outer = getattr(self._counting, "task", None)
        try:
            self._counting.task = task
            with self.computing() if task.lane.computes else self._not_computing():
                task.value = work()
        except BaseException as raised:
            task.error, task.traceback = raised, raised.__traceback__
        finally:
            self._counting.task = outer
            allow_kernel_threads(allowed)
        self._end(task, goes_on)

    def _end(self, task: Task, goes_on: bool = False) -> None:
        """Note that a task is done; this thread ``goes_on`` with the next itself."""
        task.work = None
        with self._lock:
            task.stage = _DONE
            task.lane.running -= 1
            if not goes_on:
                self._wake_for_next()
            self._changed.wake_all()

    def _wake_for_next(self) -> None:
        """Have some thread begin a task that may begin now; with the lock held."""
        if self._queue and any(map(self._may_begin, self._queue)):
            self._wake_thread()

    def _wake_thread(self) -> None:
        if self._idle:
            self._idle -= 1
            self._work.notify()
        elif len(self._threads) < self._most_threads:
            self._start_thread()

    def _start_thread(self) -> None:
        number = len(self._threads)
        thread = threading.Thread(
            target=self._context.copy().run,
            args=(self._serve,),
            name=f"{self._name}-{number}",
            daemon=True,
        )
        self._threads.append(thread)
        _POOLS.add(self)
        thread.start()

    def _next(self) -> Task | None:
        """Return a task to do, with the lock held; None if there is none now."""
        for task in tuple(self._queue):
            if self._may_begin(task) and self._begin(task):
                with suppress(ValueError):  # the pool was closed meanwhile
                    self._queue.remove(task)
                self._wake_for_next()
                return task
        while self._queue and self._queue[0].stage != _WAITING:
            self._queue.popleft()
        return None

    def _serve(self) -> None:
        """Do tasks until the pool is closed."""
        if self._begin_thread is not None:
            self._begin_thread()
        while True:
            with self._lock:
                while (task := self._next()) is None:
                    if self._closed:
                        return
                    self._idle += 1  # whoever wakes a thread counts it down
                    self._work.wait()
            self._run(task, goes_on=True)
            del task

    @property
    def is_in_one(self) -> bool:
        """Whether the thread that asks does a task of this pool, and cannot wait for itself.

        It need not be one of the pool's own: who waits for a task may do it.
        """
        doing = getattr(self._counting, "task", None) is not None
        return doing or threading.current_thread() in self._threads

    def close(self, wait_s: float | None = None) -> None:
        """End all threads; what nobody has begun is dropped.

        Waits for what is running, for ``wait_s`` at most, unless one of them calls this.
        """
        deadline = None if wait_s is None else monotonic() + wait_s
        with self._lock:
            self._closed = True
            dropped, self._queue = list(self._queue), deque()
            self._work.notify_all()
        for task in dropped:
            self.drop(task)
        if not self.is_in_one:
            for thread in self._threads:
                if thread.ident is not None:  # Ctrl-C can strike before it is started
                    thread.join(None if deadline is None else max(0.0, deadline - monotonic()))
            self._is_stuck = any(thread.is_alive() for thread in self._threads)
            self._threads.clear()

    def give_up(self) -> None:
        """Let threads wait no longer for files far away: they are about to be closed."""
        self._give_up.set()

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is done."""
        return self._closed

    @property
    def is_stuck(self) -> bool:
        """Whether a thread had not ended when this was closed: nothing that waits for it ends."""
        return self._is_stuck

    @property
    def num_threads(self) -> int:
        """How many threads there are."""
        return len(self._threads)


def _nothing() -> None:
    """Nobody runs a promise."""


_POOLS: weakref.WeakSet[Tasks] = weakref.WeakSet()


def _close_all(deadline: float) -> None:
    for pool in members(_POOLS):
        # A program ends, whatever its functions wait for.
        pool.close(wait_s=max(0.0, deadline - monotonic()))


at_end(Rank.THREADS, _close_all)
