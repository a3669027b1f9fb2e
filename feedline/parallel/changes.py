"""changes: knobs that are turned together, and back if nothing came of it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from feedline.parallel.room import Room
    from feedline.parallel.stage import Executor, Stage

__all__ = ["Change", "Move", "RoomChange", "StageChange", "Turn", "said"]


class Turn(Protocol):
    """Makes a stage run otherwise."""

    def __call__(self, stage: Stage, executor: Executor, width: int) -> None:
        """Let a stage run in this executor, this many at once."""


@dataclass(frozen=True, slots=True)
class StageChange:
    """Where a stage is to run, and how many at once."""

    stage: Stage
    executor: Executor
    width: int

    @property
    def what(self) -> str:
        """The knob."""
        return self.stage.label

    @property
    def before(self) -> str:
        """What is now."""
        return said(self.stage.executor, self.stage.width)

    @property
    def after(self) -> str:
        """What is to be."""
        return said(self.executor, self.width)

    def undone(self) -> StageChange:
        """Return the change back to what is now."""
        return StageChange(self.stage, self.stage.executor, self.stage.width)

    def apply(self, turn: Turn) -> None:
        """Do it."""
        turn(self.stage, self.executor, self.width)


@dataclass(frozen=True, slots=True)
class RoomChange:
    """How many blocks are to be ready."""

    room: Room
    label: str
    depth: int

    @property
    def what(self) -> str:
        """The knob."""
        return self.label

    @property
    def before(self) -> str:
        """What is now."""
        return f"{self.room.depth} blocks ready"

    @property
    def after(self) -> str:
        """What is to be."""
        return f"{self.depth} blocks ready"

    def undone(self) -> RoomChange:
        """Return the change back to what is now."""
        return RoomChange(self.room, self.label, self.room.depth)

    def apply(self, turn: Turn) -> None:
        """Do it."""
        self.room.depth = self.depth


Change = StageChange | RoomChange


@dataclass(frozen=True, slots=True)
class Move:
    """Changes that are tried together.

    Args:
        key: What not to try again for a while if it fails.
        changes: What to do.
        why: The reason, with what was measured.
        score: The part of the time that could be won at best.
        lead: Whose elements are counted; None for those the consumer gets.
        gain: By how much the rate must grow; below 1 for a move that saves something.
        is_doubtful: Whether it is made only if it promises something several times in a row.
    """

    key: Hashable
    changes: tuple[Change, ...]
    why: str
    score: float
    lead: Stage | None
    gain: float
    is_doubtful: bool = False

    @property
    def saves(self) -> bool:
        """Whether it gives something back, rather than asks for more."""
        return self.gain < 1

    @property
    def to_processes(self) -> bool:
        """Whether processes may have to be started first."""
        return any(isinstance(c, StageChange) and c.executor == "processes" for c in self.changes)


def said(executor: Executor, width: int) -> str:
    """Return a setting in words."""
    return executor if executor == "inline" else f"{executor} x {width}"
