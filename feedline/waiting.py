"""waiting: threads that wait for a change, wherever Ctrl-C strikes.

A threading.Condition lets go of its lock inside ``with lock:``, in Python code. Ctrl-C right
after that makes the ``with`` give back a lock that is not held. Here nobody lets go of a lock:
who has to wait notes it while holding the lock, leaves the ``with``, and waits then.
"""

from __future__ import annotations

import threading

__all__ = ["Waiters"]


class Waiters:
    """Threads that wait. All methods are called with the one lock that guards the change.

    Example:
        >>> lock, waiters = threading.Lock(), Waiters()
        >>> with lock:
        ...     waiter = waiters.add()
        >>> with lock:
        ...     waiters.wake_all()
        >>> waiter.acquire()  # which waits until it is woken
        True
    """

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: list[threading.Lock] = []

    def add(self) -> threading.Lock:
        """Return a lock to acquire after the guarding one was left, and look again then."""
        waiter = threading.Lock()
        waiter.acquire()
        self._waiting.append(waiter)
        return waiter

    def wake_all(self) -> None:
        """Wake all that wait. Interrupted, it may be called again for the rest."""
        waiting = self._waiting
        while waiting:
            waiter = waiting[-1]
            if waiter.locked():
                waiter.release()
            if waiting and waiting[-1] is waiter:  # a signal handler may have done it
                waiting.pop()
