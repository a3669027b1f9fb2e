"""transparent: steps that show neither in the elements nor in a saved state.

They are dropped before a plan runs. A state continues with any other value of theirs, and
in a pipeline without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from feedline.plan.node import Node, Traits, UnaryNode

if TYPE_CHECKING:
    from feedline.engine.access import Access
    from feedline.engine.run import Run

__all__ = ["TransparentNode", "without_transparent"]


@dataclass(frozen=True)
class TransparentNode(UnaryNode):
    """The input, as it is."""

    traits: ClassVar[Traits] = Traits(rows="same", keeps_order=True, keeps_values=True)

    @property
    def signature(self) -> str:
        """Nothing that a saved state must agree on."""
        return ""

    def dissolved(self) -> Node:
        """What stands in the place of this step when the plan runs."""
        return self.input

    def access(self, run: Run) -> Access | None:
        """The input's."""
        return self.input.access(run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's."""
        return inputs[0]

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


def without_transparent(node: Node) -> Node | None:
    """Return what a transparent node reads from, in its place."""
    return node.dissolved() if isinstance(node, TransparentNode) else None
