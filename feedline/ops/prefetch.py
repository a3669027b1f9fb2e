"""prefetch: compute elements before they are asked for.

How many are ready never shows in the elements, nor in a saved state: a state continues
under any other buffer size, and in a pipeline without the call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from feedline.errors import BuildError, check_integer
from feedline.ops.transparent import TransparentNode
from feedline.options import AUTOTUNE

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.plan.node import Node

__all__ = ["Prefetch", "prefetch"]

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def prefetch(self: Dataset[T], buffer_size: int | None, name: str | None = None) -> Dataset[T]:
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
class Prefetch(TransparentNode):
    """The input, ``buffer_size`` elements ahead."""

    buffer_size: int

    def dissolved(self) -> Node:
        """The input, with a note for whoever opens it."""
        return replace(self.input, ahead=self.buffer_size) if self.buffer_size else self.input


# ---- what runs: engine/ahead.py ----------------------------------------------
