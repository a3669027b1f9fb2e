"""EventLoop: one thread in which the coroutines of a pipeline run.

Idle      no thread; the first call starts it.
Running   calls run side by side; each has the context of whoever asked for it.
Closed    what was running is cancelled and has ended; the thread is gone.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import contextvars
import threading
import weakref
from collections.abc import Callable, Coroutine
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any

from feedline.parallel.ending import Rank, at_end, members
from feedline.parallel.finalising import finalise

if TYPE_CHECKING:
    import asyncio

__all__ = ["EventLoop", "begun"]

Make = Callable[[], Coroutine[Any, Any, Any]]


class EventLoop:
    """Runs coroutines for threads that are not part of it."""

    def __init__(self, name: str = "feedline") -> None:
        self._name = name
        # Reentrant: a signal handler may run anywhere and close this.
        self._lock = threading.RLock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._at_end: list[weakref.WeakMethod[Callable[[], None]]] = []
        self._closed = False

    def call_soon(self, work: Callable[..., None], *args: Any) -> bool:
        """Have something done in the thread of the loop; return whether that is still possible."""
        with self._lock:
            if self._closed:
                return False
            self._started().call_soon_threadsafe(work, *args)
            return True

    def at_end(self, work: Callable[[], None]) -> None:
        """Have a method called in the thread of the loop when it is closed."""
        self._at_end.append(weakref.WeakMethod(work))

    def run(self, make: Make) -> Any:
        """Return the result of a coroutine; wait for it."""
        call = _Call(self, make, contextvars.copy_context())
        if not self.call_soon(call.begin):
            raise RuntimeError("the event loop is closed")
        return call.result()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = self._loop = import_module("asyncio").new_event_loop()
                self._thread = threading.Thread(
                    target=_serve,
                    args=(loop, self._at_end),
                    name=f"{self._name}-loop",
                    daemon=True,
                )
                _LOOPS.add(self)
                self._thread.start()
            return self._loop

    @property
    def is_here(self) -> bool:
        """Whether the thread that asks is that of the loop, which cannot wait for itself."""
        return self._thread is threading.current_thread()

    def close(self, wait_s: float | None = None) -> None:
        """Cancel what is running, wait for its end, and end the thread.

        Waits for ``wait_s`` at most.
        """
        with self._lock:
            was_closed, self._closed = self._closed, True
            loop, thread = self._loop, self._thread
        if was_closed or loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        if not self.is_here:
            thread.join(wait_s)

    def __del__(self) -> None:
        finalise(self.close)


class _Call:
    """A coroutine that a thread waits for."""

    def __init__(self, loop: EventLoop, make: Make, context: contextvars.Context) -> None:
        self._loop = loop
        self._make = make
        self._context = context
        self._task: asyncio.Task[Any] | None = None
        self._done = threading.Event()
        self._wanted = True

    def begin(self) -> None:
        if self._wanted:
            self._task = begun(self._make, self._context)
            self._task.add_done_callback(lambda _: self._done.set())

    def result(self) -> Any:
        try:
            self._done.wait()
        except BaseException:  # Ctrl-C: nobody wants it any more
            self._loop.call_soon(self._cancel)
            raise
        task, self._task = self._task, None
        assert task is not None
        if task.cancelled():
            raise RuntimeError("the call was cancelled")
        error = task.exception()
        if error is None:
            return task.result()
        try:
            raise error
        finally:
            del error, task  # tracebacks hold this frame

    def _cancel(self) -> None:
        self._wanted = False
        if self._task is not None:
            self._task.cancel()


def begun(make: Make, context: contextvars.Context) -> asyncio.Task[Any]:
    """Begin to run a coroutine, in the loop of the thread that calls this."""
    loop: asyncio.AbstractEventLoop = import_module("asyncio").get_running_loop()
    return loop.create_task(make(), context=context)


def _serve(
    loop: asyncio.AbstractEventLoop, at_end: list[weakref.WeakMethod[Callable[[], None]]]
) -> None:
    """Run a loop until it is stopped, then end everything that runs in it."""
    asyncio = import_module("asyncio")
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        # What was asked for in the last moment has begun after this.
        loop.run_until_complete(asyncio.sleep(0))
        for method in at_end:
            if (work := method()) is not None:
                work()
        while tasks := asyncio.all_tasks(loop):
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        asyncio.set_event_loop(None)
        loop.close()


_LOOPS: weakref.WeakSet[EventLoop] = weakref.WeakSet()


def _close_all(deadline: float) -> None:
    for loop in members(_LOOPS):
        loop.close(max(0.0, deadline - monotonic()))


at_end(Rank.LOOPS, _close_all)
