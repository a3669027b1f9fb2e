"""below: what tf.data finds under a step when it looks for two to make one of.

What it makes one step of can be seen: where a failing element leaves its batch, and which
order the next iteration has. So this is taken from the plan as asked, before any rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedline.options import OptimizationOptions
    from feedline.plan.node import Node, Traits

__all__ = ["Below"]


@dataclass(frozen=True, slots=True)
class Below:
    """The next step that does something: its traits, and whether steps that do nothing precede."""

    traits: Traits
    past_noops: bool

    @staticmethod
    def of(node: Node) -> Below:
        """Return what lies at ``node`` or, if that changes nothing, below it."""
        found = node
        while found.is_noop:
            (found,) = found.inputs
        return Below(found.traits, found is not node)

    def is_seen(self, settings: OptimizationOptions) -> bool:
        """Whether tf.data has removed what lies between when it looks."""
        return not self.past_noops or settings.is_on("noop_elimination")
