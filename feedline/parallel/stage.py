"""Stage: a step whose elements are worked on by several workers, how many, and what it costs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter_ns, thread_time_ns
from typing import Literal

from feedline.parallel.tasks import Lane

__all__ = ["Executor", "Stage"]

Executor = Literal["inline", "threads", "processes"]

# What a run of elements should take: long beside handing it over, short beside a second.
_RUN_NS = {"inline": 1_000_000, "threads": 16_000_000, "processes": 20_000_000}
_RUN_BYTES = 1 << 22
_MOST_ELEMENTS = 1 << 12


@dataclass
class Stage:
    """One step of a running plan.

    Args:
        label: The step as a user would write it.
        executor: Where its function runs now.
        width: How many runs of elements are worked on at once.
        fixed_width: Whether the user said how many.
        choices: Where the function may run.
        no_processes: Why it may not run in other processes, if it may not.
    """

    label: str
    executor: Executor = "inline"
    width: int = 1
    fixed_width: bool = False
    choices: tuple[Executor, ...] = ("inline", "threads", "processes")
    lane: Lane = field(default_factory=lambda: Lane(1))
    no_processes: str = ""

    # What was measured, by all workers together.
    elements: int = 0
    runs: int = 0
    nbytes: int = 0
    busy_ns: int = 0
    waited_ns: int = 0
    # Of runs whose time on a processor is known: that, and how long they took.
    cpu_ns: int = 0
    cpu_of_ns: int = 0
    # Called after every run, so that the tuner need not have a thread.
    when_done: Callable[[], None] | None = None
    _run_length: int = 1
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def set_width(self, width: int) -> None:
        """Let this many runs be worked on at once."""
        self.width = self.lane.width = width

    def stay(self, reason: str) -> None:
        """Never go to another process again."""
        self.no_processes = reason
        self.choices = tuple(choice for choice in self.choices if choice != "processes")
        if self.executor == "processes":
            self.executor = "threads"

    @property
    def window(self) -> int:
        """How many runs may be on their way at once; none more once all is to be done inline."""
        return 0 if self.executor == "inline" else 2 * self.width + 2

    def run_length(self) -> int:
        """Return how many elements a run should have."""
        return self._run_length

    @property
    def longest_run(self) -> int:
        """How many elements a run may have, however fast they are."""
        return max(1, min(_MOST_ELEMENTS, _RUN_BYTES * self.elements // max(self.nbytes, 1)))

    def done(self, elements: int, nbytes: int, elapsed_ns: int, cpu_ns: int | None = None) -> None:
        """Note what a run took and, where that is known, how long it was on a processor."""
        with self._lock:
            self.elements += elements
            self.runs += 1
            self.nbytes += nbytes
            self.busy_ns += elapsed_ns
            if cpu_ns is not None:
                self.cpu_ns += cpu_ns
                self.cpu_of_ns += elapsed_ns
            if self.executor != "processes":
                self._adapt(elements, nbytes, elapsed_ns)
        if self.when_done is not None:
            self.when_done()

    def ran_elsewhere(self, elements: int, nbytes: int, elapsed_ns: int) -> None:
        """Note what a run took in the process that worked on it, without the way there and back.

        That way takes longer the more there are: runs that became shorter for it would have to
        take it more often.
        """
        with self._lock:
            self._adapt(elements, nbytes, elapsed_ns)

    def _adapt(self, elements: int, nbytes: int, elapsed_ns: int) -> None:
        """Choose how long runs are; with the lock held."""
        in_time = round(_RUN_NS[self.executor] * elements / max(elapsed_ns, 1))
        in_memory = _RUN_BYTES * elements // max(nbytes, 1)
        self._run_length = max(1, min(2 * self._run_length, in_time, in_memory, _MOST_ELEMENTS))

    @contextmanager
    def timed(self, elements: int, nbytes: int) -> Iterator[None]:
        """Measure a run."""
        # In processes the thread only waits: what it takes itself says nothing.
        started, on_cpu = perf_counter_ns(), thread_time_ns()
        yield
        elapsed, cpu = perf_counter_ns() - started, thread_time_ns() - on_cpu
        self.done(elements, nbytes, elapsed, None if self.executor == "processes" else cpu)

    def waited(self, elapsed_ns: int) -> None:
        """Note that whoever reads had to wait."""
        self.waited_ns += elapsed_ns
