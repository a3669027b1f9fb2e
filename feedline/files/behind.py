"""behind: calls made one after the other by a thread that may lag behind its caller.

Bounded  put() waits while more bytes than allowed wait for the thread.
Failed   what a call raised is raised by the next put() or by finish(); no later call is made.
Closed   calls that were not begun are dropped, and the thread has ended.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

from feedline.waiting import Waiters

__all__ = ["Behind"]


class Behind:
    """One thread and the calls that wait for it.

    Args:
        most_bytes: How much may wait; one call may, whatever its size.
        name: Of the thread.

    Example:
        >>> done = []
        >>> with Behind(1000, "example") as behind:
        ...     for number in range(3):
        ...         behind.put(lambda number=number: done.append(number), 10)
        ...     behind.finish()
        >>> done
        [0, 1, 2]
    """

    def __init__(self, most_bytes: int, name: str) -> None:
        self._most = most_bytes
        self._lock = threading.RLock()
        self._changed = Waiters(self._lock)
        self._waiting: deque[tuple[Callable[[], None], int]] = deque()
        self._bytes = 0
        self._is_busy = self._is_closed = False
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def put(self, call: Callable[[], None], size: int) -> None:
        """Have a call made later."""
        self._changed.wait_for(lambda: self._has_room(size) or self._failure is not None)
        with self._lock:
            self._check()
            if self._thread.ident is None:  # not before: until then nobody would end it
                self._thread.start()
            self._waiting.append((call, size))
            self._bytes += size
            self._changed.wake_all()

    def _has_room(self, size: int) -> bool:
        return not self._waiting or self._bytes + size <= self._most

    def finish(self) -> None:
        """Wait until every call was made."""
        self._changed.wait_for(lambda: self._is_idle or self._failure is not None)
        with self._lock:
            self._check()

    @property
    def _is_idle(self) -> bool:
        return not self._waiting and not self._is_busy

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        while (call := self._next()) is not None:
            try:
                call()
            except BaseException as error:
                with self._lock:
                    self._failure = error
            with self._lock:
                self._is_busy = False
                self._changed.wake_all()

    def _next(self) -> Callable[[], None] | None:
        self._changed.wait_for(lambda: self._waiting or self._is_closed)
        with self._lock:
            if self._is_closed or self._failure is not None:
                return None
            call, size = self._waiting.popleft()
            self._bytes -= size
            self._is_busy = True
            self._changed.wake_all()
            return call

    def close(self) -> None:
        """Make no more calls; return when the thread has ended."""
        with self._lock:
            self._is_closed = True
            self._waiting.clear()
            self._changed.wake_all()
        if self._thread.ident is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
