"""allotment: how many workers each stage gets of those there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Demand", "allot"]


@dataclass(frozen=True, slots=True)
class Demand:
    """What one stage needs.

    Args:
        work: Seconds of one worker for each element that the consumer gets.
        cpu_share: The part of its time a worker is on a processor.
        least: The fewest workers it may have.
        most: The most it may have.
    """

    work: float
    cpu_share: float = 1.0
    least: int = 1
    most: int = 1 << 30


def allot(demands: Sequence[Demand], cpus: float, rate: float, headroom: float = 1.15) -> list[int]:
    """Return how many workers each stage gets.

    One after the other goes to the stage that holds up the others most, until all can
    do ``rate`` elements a second with some headroom, or the processors are used up. A
    worker that mostly waits uses up little of them.

    Example:
        >>> allot([Demand(3.0), Demand(1.0)], cpus=4, rate=100.0)
        [3, 1]
        >>> allot([Demand(0.030), Demand(0.010)], cpus=16, rate=50.0)
        [2, 1]
    """
    widths = [demand.least for demand in demands]
    used = sum(w * d.cpu_share for w, d in zip(widths, demands, strict=True))
    while True:
        slowest = max(
            (n for n, d in enumerate(demands) if widths[n] < d.most),
            key=lambda n: demands[n].work / widths[n],
            default=None,
        )
        if slowest is None:
            return widths
        demand = demands[slowest]
        # A stage that cannot have more holds up all others: they need no more than it.
        fixed = [d.work / w for d, w in zip(demands, widths, strict=True) if w >= d.most]
        pace = demand.work / widths[slowest]
        enough = pace * rate * headroom <= 1 or pace * headroom <= max(fixed, default=0.0)
        if enough or used + demand.cpu_share > cpus + 1e-9:
            return widths
        widths[slowest] += 1
        used += demand.cpu_share
