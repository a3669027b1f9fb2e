"""waiting: threads that wait for a change, wherever Ctrl-C strikes.

A threading.Condition lets go of its lock inside ``with lock:``, in Python code. Ctrl-C right
after that makes the ``with`` give back a lock that is not held. Here nobody lets go of a lock:
who has to wait notes it while holding the lock, leaves the ``with``, and waits then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["Waiters"]

T = TypeVar("T")


class Waiters:
    """Threads that wait for a change.

    Args:
        lock: Guards what is waited for. Who makes a change holds it.

    Example:
        >>> lock, ready = threading.RLock(), []
        >>> waiters = Waiters(lock)
        >>> def change():
        ...     with lock:
        ...         ready.append("now")
        ...         waiters.wake_all()
        >>> threading.Thread(target=change).start()
        >>> waiters.wait_for(lambda: ready and ready[0])
        'now'
    """

    __slots__ = ("_lock", "_waiting")

    def __init__(self, lock: threading.RLock) -> None:
        self._lock = lock
        self._waiting: list[threading.Lock] = []

    def wait_for(self, look: Callable[[], T | None]) -> T:
        """Return the first true thing that ``look`` returns, which is called with the lock held."""
        while True:
            with self._lock:
                found = look()
                if found:
                    return found
                waiter = self._add()
            waiter.acquire()

    def _add(self) -> threading.Lock:
        waiter = threading.Lock()
        waiter.acquire()
        self._waiting.append(waiter)
        return waiter

    def wake_all(self) -> None:
        """Have all that wait look again; with the lock held. Can be called again if interrupted."""
        waiting = self._waiting
        while waiting:
            waiter = waiting[-1]
            if waiter.locked():
                waiter.release()
            if waiting and waiting[-1] is waiter:  # a signal handler may have done it
                waiting.pop()
