"""Trial: a move that was made, until it is known what came of it.

Warming     what was under way before is finished; processes start.
Measuring   until enough elements were counted to compare.
Judged      kept, or to be undone.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from feedline.parallel.changes import Change, StageChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedline.parallel.changes import Move
    from feedline.parallel.window import Window

__all__ = ["Trial", "Verdict"]

_WARM_NS = 20_000_000
_MEASURE_NS = 100_000_000
_LONGEST_WARM_NS = 5_000_000_000
_LONGEST_NS = 3_000_000_000
_FEWEST_RUNS = 4
_COMPUTES = 0.7


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a trial: by how much the rate grew, and whether that was enough."""

    kept: bool
    gain: float
    after: Window
    load_changed: bool = False


@dataclass(slots=True)
class Trial:
    """One move.

    Args:
        move: What is tried.
        undo: The way back.
        before: What was measured before.
        started_ns: When it was made.
        window: Returns what was measured since the last mark.
        mark: Begins to measure anew.
    """

    move: Move
    undo: tuple[Change, ...]
    before: Window
    started_ns: int
    window: Callable[[int], Window]
    mark: Callable[[int], None]
    _warm_ns: int | None = field(default=None, init=False)
    # Processes are slow at first: what they need is loaded, and runs of elements grow.
    _chances: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._chances = 3 if self.move.to_processes else 0

    def look(self, now_ns: int) -> Verdict | None:
        """Return the verdict, None as long as there is none."""
        window = self.window(now_ns)
        if self._is_refused:
            return Verdict(False, 1.0, window)
        if self._warm_ns is None:
            if self._is_warm(window, now_ns - self.started_ns):
                self._warm_ns = now_ns
                self.mark(now_ns)
            return None
        elapsed = now_ns - self._warm_ns
        if elapsed < _MEASURE_NS or (not self._has_enough(window) and elapsed < _LONGEST_NS):
            return None
        verdict = self._judged(window, elapsed)
        if verdict is None or verdict.kept or self._chances == 0:
            return verdict
        self._chances -= 1
        self._warm_ns = now_ns
        self.mark(now_ns)
        return None

    @property
    def _is_refused(self) -> bool:
        """Whether a function turned out to be one that cannot run in other processes."""
        moved = [c for c in self.move.changes if isinstance(c, StageChange)]
        return any(c.executor == "processes" and "processes" not in c.stage.choices for c in moved)

    def _is_warm(self, window: Window, elapsed_ns: int) -> bool:
        if elapsed_ns < _WARM_NS:
            return False
        if elapsed_ns > _LONGEST_WARM_NS:
            return True
        lead = self.move.lead
        if lead is None:
            return window.blocks >= 2
        rounds = 2 if self.move.to_processes else 1
        return window.stages[id(lead)].runs >= rounds * (lead.window + lead.width)

    def _has_enough(self, window: Window) -> bool:
        lead = self.move.lead
        if lead is None:
            return window.blocks >= 2 * _FEWEST_RUNS
        width = 1 if lead.executor == "inline" else lead.width
        return window.stages[id(lead)].runs >= _FEWEST_RUNS * width

    def _rate(self, window: Window) -> float:
        lead = self.move.lead
        return window.rate if lead is None else window.stages[id(lead)].rate

    def _judged(self, after: Window, elapsed_ns: int) -> Verdict | None:
        before, move = self.before, self.move
        gain = self._rate(after) / max(self._rate(before), 1e-9)
        if _has_changed(before, after):
            return Verdict(False, gain, after, load_changed=True)
        # Too close to call: other things run on the machine too.
        close = abs(gain / move.gain - 1) < 0.08
        if close and elapsed_ns < 3 * _MEASURE_NS:
            return None
        kept = gain >= move.gain
        if move.saves:
            kept = kept and after.stall <= before.stall + 0.03
        else:
            kept = kept or (after.stall < before.stall / 2 and gain > 0.98)
        return Verdict(kept, gain, after)

    @property
    def computed(self) -> bool:
        """Whether what was moved used a processor all the time, where it ran alone.

        If threads bring such a function nothing, they wait for the lock of the interpreter: most
        of that before they begin with a run, so elements need not take longer.
        """
        lead = self.move.lead
        return lead is not None and self.before.stages[id(lead)].cpu_share > _COMPUTES

    def service_ratio(self, after: Window) -> float:
        """Return how much longer an element takes than before, for one worker."""
        changed = [c.stage for c in self.move.changes if isinstance(c, StageChange)]
        if not changed:
            return 1.0
        stage = self.move.lead or changed[0]
        before_ns = self.before.stages[id(stage)].service_ns
        return after.stages[id(stage)].service_ns / max(before_ns, 1.0)


def _has_changed(before: Window, after: Window) -> bool:
    """Whether the consumer itself works so much less that nothing can be said.

    That it works more may come of the move, which takes processor time from it.
    """
    if before.stall > 0.95 and after.stall > 0.9:
        return False
    if min(before.blocks, after.blocks) < 2:
        return False
    ratio = max(after.own_per_element, 1.0) / max(before.own_per_element, 1.0)
    return ratio < 0.5
