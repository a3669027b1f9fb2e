"""handles: a file opened as often as threads read it at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Handles"]


class Handles:
    """Open files, each used by one thread at a time.

    Args:
        opened: Opens one, and returns it with what closes it.
    """

    def __init__(self, opened: Callable[[], tuple[Any, Callable[[], None]]]) -> None:
        self._opened = opened
        self._lock = threading.Lock()
        self._free: list[tuple[Any, Callable[[], None]]] = []
        self._is_closed = False

    @contextmanager
    def one(self) -> Iterator[Any]:
        """Give one that nobody else uses meanwhile."""
        with self._lock:
            handle = self._free.pop() if self._free else None
        handle = handle or self._opened()
        try:
            yield handle[0]
        finally:
            with self._lock:
                is_kept = not self._is_closed
                if is_kept:
                    self._free.append(handle)
            if not is_kept:
                handle[1]()

    def close(self) -> None:
        """Close all; one that is in use is closed after that."""
        with self._lock:
            self._is_closed = True
            free, self._free = self._free, []
        for _, close in free:
            close()
