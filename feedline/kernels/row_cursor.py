"""row_cursor: the part of an iterator that is called once per element."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Self

from feedline.kernels.native import native

__all__ = ["RowCursor", "RowCursorTwin"]


class RowCursorTwin:
    """Hands out the rows of one list after the other, to any number of threads.

    A subclass has ``_next_rows()``, which returns the next list, or None at the end. It is
    asked again after an exception, and after the end; by one thread at a time, which holds
    ``_lock``. Whoever else changes what comes next holds it too.
    """

    _lock: threading.RLock
    _rows: list[Any] | None = None
    _used = 0

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make the lock, whatever a subclass does to begin."""
        self = super().__new__(cls)
        self._lock = threading.RLock()
        return self

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        with self._lock:
            if self._rows is None or self._used >= len(self._rows):
                rows = self._next_rows()
                if rows is not None and type(rows) is not list:
                    raise TypeError(f"_next_rows() must return a list or None, got {rows!r}")
                if not rows:
                    raise StopIteration
                self._rows, self._used = rows, 0
            self._used += 1
            return self._rows[self._used - 1]

    def _next_rows(self) -> list[Any] | None:
        """Return the next rows, or None at the end."""
        raise NotImplementedError(type(self).__name__)

    def _drop_rows(self) -> None:
        """Forget the rows in hand."""
        self._rows, self._used = None, 0


if TYPE_CHECKING or native is None:  # noqa: SIM108  (type checkers read one branch alone)
    RowCursor = RowCursorTwin
else:
    RowCursor = native.RowCursor
