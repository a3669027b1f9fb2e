"""decisions: what the tuner changed, when and why."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

__all__ = ["Decision", "Decisions"]

_MOST_KEPT = 200


@dataclass(frozen=True, slots=True)
class Decision:
    """One knob that was turned.

    Args:
        at_s: Seconds since the iteration began.
        what: The step, and which of its settings.
        before: What it was.
        after: What it is.
        why: The reason, with what was measured.
    """

    at_s: float
    what: str
    before: str
    after: str
    why: str

    def __str__(self) -> str:
        return f"{self.at_s:7.2f} s  {self.what}: {self.before} -> {self.after}: {self.why}"


class Decisions:
    """The latest decisions of one iteration, oldest first."""

    def __init__(self) -> None:
        self._kept: deque[Decision] = deque(maxlen=_MOST_KEPT)

    def add(self, decision: Decision) -> None:
        """Keep a decision; the oldest is forgotten once there are many."""
        self._kept.append(decision)

    def all(self) -> tuple[Decision, ...]:
        """Return those that are kept."""
        return tuple(self._kept)
