"""retry: calling a user's function again on an element it failed on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["Retried", "Retry"]


class Retry:
    """How often to call again, and after how many seconds: each time twice as many.

    Waiting ends when the pipeline does; then nothing is called again.
    """

    __slots__ = ("_ended", "retries", "wait")

    def __init__(self, retries: int, wait: float) -> None:
        self.retries = retries
        self.wait = wait
        self._ended = threading.Event()

    def __reduce__(self) -> Any:
        return Retry, (self.retries, self.wait)

    def pause(self, attempt: int) -> bool:
        """Wait before an attempt, counted from 0; return whether it is still to be made."""
        seconds = self.wait * 2**attempt
        return not (self._ended.wait(seconds) if seconds else self._ended.is_set())

    @property
    def is_over(self) -> bool:
        """Whether nothing is to be called again."""
        return self._ended.is_set()

    def end(self) -> None:
        """Let nobody wait any longer."""
        self._ended.set()


class Retried:
    """The results of calls; where one fails, ``again(number)`` is asked for it.

    An object, not a generator: that would keep a reference to every result.
    """

    def __init__(self, calls: Iterator[Any], retry: Retry, again: Callable[[int], Any]) -> None:
        self._calls = calls
        self._retry = retry
        self._again = again
        self._number = -1

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self._number += 1
        try:
            return next(self._calls)
        except StopIteration:
            raise
        except Exception as error:
            return self._retried(error)

    def _retried(self, error: Exception) -> Any:
        attempts = 1
        try:
            for attempt in range(self._retry.retries):
                if not self._retry.pause(attempt):
                    break
                try:
                    return self._again(self._number)
                except StopIteration:
                    error = RuntimeError("the function raised StopIteration")
                except Exception as raised:
                    error = raised
                attempts += 1
            error.add_note(f"called {attempts} times")
            raise error
        finally:
            del error  # its traceback holds this frame
