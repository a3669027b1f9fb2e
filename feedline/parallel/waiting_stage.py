"""WaitingStage: how many calls that mostly wait may run at once.

Twice as many are tried as long as that makes more of them end per second; if it does not,
one step back. From time to time, and when they end much less often, it is tried again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter_ns

from feedline.parallel.stage import Stage

__all__ = ["FIRST_WIDTH", "MOST_WIDTH", "WaitingStage"]

FIRST_WIDTH = 8
MOST_WIDTH = 256
_PERIOD_NS = 50_000_000
_GAIN = 1.1
_LOSS = 0.6
_PERIODS_AT_REST = 40


@dataclass
class WaitingStage(Stage):
    """A step of one call per run. One that ``grows`` finds its width itself."""

    grows: bool = False
    clock: Callable[[], int] = perf_counter_ns

    _since_ns: int | None = None
    _ended: int = 0
    # Calls that began before the width changed: how fast they end says nothing.
    _settling: int = 0
    # The rate before the step that is being tried, and the rate at rest.
    _before: float | None = None
    _at_rest: float | None = None
    _rested: int = 0

    def run_length(self) -> int:
        """One: calls end when they do."""
        return 1

    def done(self, elements: int, nbytes: int, elapsed_ns: int, cpu_ns: int | None = None) -> None:
        """Note that a call has ended."""
        super().done(elements, nbytes, elapsed_ns, cpu_ns)
        if not self.grows:
            return
        now = self.clock()
        if self._settling > 0 or self._since_ns is None:
            self._settling -= elements
            self._since_ns = now
            return
        self._ended += elements
        elapsed = now - self._since_ns
        if elapsed >= _PERIOD_NS and self._ended >= 2 * self.width:
            width = self.width
            self._judge(self._ended / elapsed)
            self._since_ns, self._ended = now, 0
            self._settling = 0 if width == self.width else max(width, self.width)

    def _judge(self, rate: float) -> None:
        """Decide by how many calls ended in a period."""
        if self._at_rest is not None:
            self._rested += 1
            if self._rested < _PERIODS_AT_REST and rate > _LOSS * self._at_rest:
                return
            self._at_rest = self._before = None
        if self._before is None or rate > _GAIN * self._before:
            if self.width < MOST_WIDTH:
                self._before = rate
                self.set_width(min(2 * self.width, MOST_WIDTH))
                return
        else:
            self.set_width(max(1, self.width // 2))
            rate = self._before
        self._at_rest, self._before, self._rested = rate, None, 0
