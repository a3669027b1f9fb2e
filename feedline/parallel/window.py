"""window: what happened in a running pipeline between two looks at its counters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedline.parallel.stage import Stage

__all__ = ["Consumer", "StageMark", "StageWindow", "Window"]


class Consumer:
    """Who iterates: how long it waits for elements, and how long it works on them."""

    __slots__ = ("_since", "_waits", "blocks", "elements", "own_ns", "stalled_ns")

    def __init__(self, now_ns: int) -> None:
        self.elements = 0
        self.blocks = 0
        self.own_ns = 0
        self.stalled_ns = 0
        # When it began to wait, or to work, which is not yet counted.
        self._since = now_ns
        self._waits = False

    def asked(self, now_ns: int) -> None:
        """Note that it asks for elements."""
        if self._waits:  # what it asked for before failed
            self.stalled_ns += now_ns - self._since
        else:
            self.own_ns += now_ns - self._since
        self._since, self._waits = now_ns, True

    def served(self, elements: int, now_ns: int) -> None:
        """Note that it got some."""
        self.stalled_ns += now_ns - self._since
        self._since, self._waits = now_ns, False
        self.elements += elements
        self.blocks += 1

    def totals(self, now_ns: int) -> Totals:
        """Return all counters, with what is under way."""
        more = now_ns - self._since
        own, stalled = (0, more) if self._waits else (more, 0)
        return Totals(self.elements, self.blocks, self.own_ns + own, self.stalled_ns + stalled)


@dataclass(frozen=True, slots=True)
class Totals:
    """The counters of a consumer at one moment."""

    elements: int
    blocks: int
    own_ns: int
    stalled_ns: int


@dataclass(frozen=True, slots=True)
class StageMark:
    """The counters of a stage at one moment."""

    elements: int
    runs: int
    busy_ns: int
    waited_ns: int
    cpu_ns: int
    cpu_of_ns: int

    @classmethod
    def of(cls, stage: Stage) -> StageMark:
        """Return those of now."""
        return cls(
            *(stage.elements, stage.runs, stage.busy_ns, stage.waited_ns),
            *(stage.cpu_ns, stage.cpu_of_ns),
        )


@dataclass(frozen=True, slots=True)
class StageWindow:
    """What a stage did in ``wall_ns``."""

    wall_ns: int
    elements: int
    runs: int
    busy_ns: int
    waited_ns: int
    cpu_ns: int
    cpu_of_ns: int

    @classmethod
    def since(cls, mark: StageMark, stage: Stage, wall_ns: int) -> StageWindow:
        """Return what a stage did after a mark."""
        now = StageMark.of(stage)
        return cls(
            wall_ns,
            now.elements - mark.elements,
            now.runs - mark.runs,
            now.busy_ns - mark.busy_ns,
            now.waited_ns - mark.waited_ns,
            now.cpu_ns - mark.cpu_ns,
            now.cpu_of_ns - mark.cpu_of_ns,
        )

    @property
    def rate(self) -> float:
        """Elements per second."""
        return self.elements * 1e9 / max(self.wall_ns, 1)

    @property
    def service_ns(self) -> float:
        """What an element took one worker."""
        return self.busy_ns / max(self.elements, 1)

    @property
    def workers(self) -> float:
        """How many worked at a time, on average."""
        return self.busy_ns / max(self.wall_ns, 1)

    @property
    def waited_share(self) -> float:
        """The part of the time in which whoever reads it waited."""
        return self.waited_ns / max(self.wall_ns, 1)

    @property
    def cpu_share(self) -> float:
        """The part of its time that a worker was on a processor; 1 where it is not known."""
        return min(1.0, self.cpu_ns / self.cpu_of_ns) if self.cpu_of_ns else 1.0


@dataclass(frozen=True, slots=True)
class Window:
    """What the whole pipeline did."""

    wall_ns: int
    elements: int
    blocks: int
    own_ns: int
    stalled_ns: int
    stages: dict[int, StageWindow]

    @property
    def rate(self) -> float:
        """Elements the consumer got per second."""
        return self.elements * 1e9 / max(self.wall_ns, 1)

    @property
    def stall(self) -> float:
        """The part of the time in which the consumer waited."""
        return self.stalled_ns / max(self.own_ns + self.stalled_ns, 1)

    @property
    def own_per_element(self) -> float:
        """Nanoseconds the consumer took for an element."""
        return self.own_ns / max(self.elements, 1)

    @property
    def own_per_block(self) -> float:
        """Nanoseconds the consumer took for a block."""
        return self.own_ns / max(self.blocks, 1)

    @property
    def stalled_per_block(self) -> float:
        """Nanoseconds the consumer waited for a block."""
        return self.stalled_ns / max(self.blocks, 1)
