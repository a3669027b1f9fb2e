"""prefetch: compute elements before they are asked for.

How many are ready never shows in the elements, nor in a saved state: a state continues
under any other buffer size, and in a pipeline without the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from feedline.errors import BuildError, check_integer
from feedline.options import AUTOTUNE
from feedline.plan.node import Node, Traits, UnaryNode

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.access import Access
    from feedline.engine.run import Run

__all__ = ["Prefetch", "prefetch", "without_prefetch"]


# ---- what the user calls ---------------------------------------------------


def prefetch(self: Dataset[Any], buffer_size: int | None, name: str | None = None) -> Dataset[Any]:
    """Return the same elements; up to ``buffer_size`` may be computed ahead of the consumer.

    Args:
        buffer_size: How many elements, or AUTOTUNE, which None means too.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE)]
        [0, 1, 2]
    """
    size = AUTOTUNE if buffer_size is None else buffer_size
    size = check_integer("prefetch()", "buffer_size", size)
    if size < 0 and size != AUTOTUNE:
        raise BuildError(f"prefetch(): buffer_size must be at least 0, or AUTOTUNE, got {size}.")
    return self.then(Prefetch(self.node, size, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Prefetch(UnaryNode):
    """The input, ``buffer_size`` elements ahead."""

    buffer_size: int

    traits: ClassVar[Traits] = Traits(rows="same", keeps_order=True, keeps_values=True)

    @property
    def signature(self) -> str:
        """Nothing that a saved state must agree on."""
        return ""

    def access(self, run: Run) -> Access | None:
        """The input's."""
        return self.input.access(run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's."""
        return inputs[0]

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


def without_prefetch(node: Node) -> Node | None:
    """Return the input of a prefetch: elements are computed when they are asked for."""
    return node.input if isinstance(node, Prefetch) else None


# ---- what runs: the input itself --------------------------------------------
