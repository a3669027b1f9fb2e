"""meter: elements, blocks and busy time of one operator; every operator gets one for free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["Labelled", "Meter"]


class Labelled(Protocol):
    """What a meter knows of the step it measures."""

    @property
    def label(self) -> str:
        """The step as a user would write it."""


@dataclass(slots=True)
class Meter:
    """What one stream counted so far. ``busy_ns`` includes the time of the inputs."""

    step: Labelled
    num_elements: int = 0
    num_blocks: int = 0
    busy_ns: int = 0
