"""attended: calls that may never return, made so that their caller need not wait for ever.

A server that stalls leaves whoever asked it in a call that nothing ends. So such calls are made
by threads of their own, and given up: when they take too long, when the user presses Ctrl-C, or
when what they read for is closed. What then comes of them is nobody's concern any more.

How long, and how often it is tried, are settings of the pipeline (``Options.remote_timeout_s`` and
``Options.remote_attempts``); they reach the calls through the thread that makes them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

__all__ = ["GIVE_UP", "Attended", "GivenUp", "Patience", "attended", "patience", "patient", "rest"]

T = TypeVar("T")

# How often is looked whether a call is to be given up, in seconds. Also where only Ctrl-C could
# say so: a signal that comes as the wait begins does not end it.
_LOOK_S = 0.05
# What the slowest connection brings in a second that is worth waiting for.
_LEAST_RATE = 100_000


class GivenUp(BaseException):
    """What this was read for has been closed meanwhile."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call may take, in seconds, and how often it is made before it has failed."""

    timeout_s: float = 60.0
    attempts: int = 7


GIVE_UP: ContextVar[threading.Event | None] = ContextVar("feedline_give_up", default=None)
"""Set when calls that the present thread makes are to be given up."""
_USUAL = Patience()
_PATIENCE: ContextVar[Patience] = ContextVar("feedline_patience", default=_USUAL)


def patience() -> Patience:
    """Return how patient calls are that this thread makes."""
    return _PATIENCE.get()


@contextmanager
def patient(how: Patience) -> Iterator[None]:
    """Let calls inside be so patient."""
    token = _PATIENCE.set(how)
    try:
        yield
    finally:
        _PATIENCE.reset(token)


class Attended(Generic[T]):
    """A call that is being made by a thread of its own."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call: Callable[[], T] | None = call
        self._done = threading.Event()
        self._value: T | None = None
        self._error: BaseException | None = None
        self._given_up = threading.Event()
        # A daemon: a program must not wait for what it has given up.
        context = copy_context()
        context.run(GIVE_UP.set, self._given_up)
        self._thread = threading.Thread(
            target=context.run, args=(self._make,), name="feedline-files", daemon=True
        )
        self._thread.start()

    def _make(self) -> None:
        call, self._call = self._call, None
        assert call is not None
        try:
            self._value = call()
        except BaseException as error:
            self._error = error
        self._done.set()

    def result(self, timeout_s: float | None = None) -> T:
        """Wait for what comes of it; raises TimeoutError if that takes too long."""
        try:
            self._wait(timeout_s)
        except BaseException:
            self.give_up()
            raise
        value, error = self._value, self._error
        self._value = self._error = None
        try:
            if error is not None:
                raise error
            return value  # type: ignore[return-value]
        finally:
            del error  # its traceback holds this frame

    def _wait(self, timeout_s: float | None) -> None:
        stop = GIVE_UP.get()
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            nap = _LOOK_S if end is None else min(end - time.monotonic(), _LOOK_S)
            if self._done.wait(nap):
                return
            if stop is not None and stop.is_set():
                raise GivenUp
            if end is not None and time.monotonic() >= end:
                raise TimeoutError(f"no answer for {timeout_s:.3g} seconds")

    def give_up(self) -> None:
        """Wait for it no longer; calls that it has made itself are given up too."""
        self._given_up.set()

    def join(self, wait_s: float) -> None:
        """Wait for the thread's end, but not for long."""
        if self._thread is not threading.current_thread():
            self._thread.join(wait_s)


def attended(call: Callable[[], T], num_bytes: int | None = 0) -> T:
    """Return what a call returns that brings so many bytes, or raise TimeoutError.

    One that brings None may take as long as it does: who writes must not begin twice.
    """
    most = None if num_bytes is None else patience().timeout_s + num_bytes / _LEAST_RATE
    return Attended(call).result(most)


def rest(seconds: float) -> None:
    """Sleep, unless this is to be given up."""
    stop: Any = GIVE_UP.get()
    if stop is None:
        time.sleep(seconds)
    elif stop.wait(seconds):
        raise GivenUp
