"""meter: elements, blocks and busy time of one operator; every operator gets one for free."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Meter"]


@dataclass(slots=True)
class Meter:
    """What one stream counted so far. ``busy_ns`` includes the time of the inputs."""

    label: str
    num_elements: int = 0
    num_blocks: int = 0
    busy_ns: int = 0
