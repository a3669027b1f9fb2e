"""learnt: what the tuner found, kept with the plan so that the next iteration starts there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedline.parallel.stage import Executor, Stage

__all__ = ["Learnt", "LearntStage"]


@dataclass(frozen=True, slots=True)
class LearntStage:
    """How a stage ran in the end, and what an element took inline.

    ``no_processes`` says why it may not run in other processes, if that was found.
    """

    executor: Executor
    width: int
    inline_ns: float
    no_processes: str = ""


@dataclass(slots=True)
class Learnt:
    """Settings by the number of a stage, in the order in which they are made, and its label."""

    stages: list[tuple[str, LearntStage]] = field(default_factory=list)
    depths: dict[str, int] = field(default_factory=dict)

    def keep(self, stages: list[tuple[str, LearntStage]], depths: dict[str, int]) -> None:
        """Take the place of what was kept before."""
        # Functions may make plans with stages of their own, one for each element.
        self.stages = stages[:100]
        self.depths = depths or self.depths

    def stage(self, made: Sequence[Stage]) -> LearntStage | None:
        """Return what is known of the stage that was made last."""
        number = len(made) - 1
        if number >= len(self.stages):
            return None
        label, known = self.stages[number]
        return known if label == made[number].label else None
