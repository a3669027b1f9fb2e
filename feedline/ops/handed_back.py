"""handed_back: what a look took from a generator goes to whoever reads the generator next.

A generator may be one that runs once: it reads a socket, or an iterator that lives outside. So a
look at a few elements, as element_spec needs where only running a function tells what comes out,
leaves the open generator behind, with the values it took in front of those to come.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from threading import Lock
from typing import Any

from feedline.conform import owned

__all__ = ["HandedBack", "LeftBehind"]


class HandedBack(Iterator[Any]):
    """The values of an iterator, which can be read from the first one again."""

    def __init__(self, source: Iterator[Any]) -> None:
        self._source = source
        self._seen: list[Any] = []
        self._error: Exception | None = None
        self._at = 0

    def __next__(self) -> Any:
        if self._at < len(self._seen):
            self._at += 1
            return self._seen[self._at - 1]
        if self._error is not None and self._at == len(self._seen):
            self._at += 1
            raise self._error
        try:
            value = owned(next(self._source))
        except StopIteration:
            raise
        except Exception as error:
            self._error = error
            self._at += 1
            raise
        self._seen.append(value)
        self._at += 1
        return value

    def last_pass(self) -> Iterator[Any]:
        """Yield the values from the first one, which is forgotten as it goes."""
        seen, self._seen = self._seen[::-1], []
        try:
            while seen:
                yield seen.pop()
            if self._error is not None:
                raise self._error.with_traceback(None)
            yield from self._source
        finally:
            self.close()

    def rewound(self) -> HandedBack:
        """Go back to the first value."""
        self._at = 0
        return self

    def close(self) -> None:
        """Close a generator: its ``finally`` clauses run now."""
        if isinstance(self._source, Generator):
            self._source.close()


class LeftBehind:
    """What the latest look at a generator left for the next reader, if there was one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._values: HandedBack | None = None

    def leave(self, values: HandedBack) -> None:
        """Leave the values of a look, unless another look did so meanwhile."""
        with self._lock:
            if self._values is None:
                self._values = values.rewound()
                return
        values.close()

    def take(self) -> HandedBack | None:
        """Return what was left. It is gone then."""
        with self._lock:
            values, self._values = self._values, None
        return values

    def __reduce__(self) -> tuple[Any, ...]:
        return LeftBehind, ()  # open generators stay in their process
