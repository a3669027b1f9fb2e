"""skip: leave out the first ``count`` elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from feedline.engine.exec import UnaryExec, after
from feedline.errors import check_integer
from feedline.ops.take import RangeOfAccess
from feedline.plan.node import Traits, UnaryNode
from feedline.plan.rewrite import walk

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.access import Access
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.quarantine import Origin

__all__ = ["Skip", "skip"]

# How many elements are computed at once only to be dropped.
_RUN = 256

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def skip(self: Dataset[T], count: int, name: str | None = None) -> Dataset[T]:
    """Return all elements but the first ``count``.

    Functions before it are called on the elements left out too, as in tf.data. To save
    that, skip before the map().

    Args:
        count: How many; a negative number leaves out all.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(5).skip(3)]
        [3, 4]
    """
    number = max(-1, check_integer("skip()", "count", count))
    return self.then(Skip(self.node, number, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Skip(UnaryNode):
    """All elements but the first ``count``; none if it is -1."""

    count: int

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, keeps_values=True)

    def lower(self, run: Run) -> SkipExec:
        """Seek, unless that would leave out calls of a user's function."""
        calls_user = any(node.traits.calls_user for node in walk(self.input))
        return SkipExec(run.open(self.input), self.count, calls_user)

    def access(self, run: Run) -> Access | None:
        """The end of the input."""
        inner = self.input.access(run)
        if inner is None:
            return None
        start = len(inner) if self.count < 0 else min(self.count, len(inner))
        return RangeOfAccess(inner, start, len(inner))

    @property
    def is_noop(self) -> bool:
        """Whether none is left out."""
        return self.count == 0

    def origin_of(self, state: State, run: Run) -> Origin | None:
        """The input's, after what is left out."""
        (below,) = state["in"]
        left = max(0, self.count - below["n"])
        return self.input.origin_of(after(below, left + int(state.get("skip", 0))), run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """What is left of the input's."""
        if inputs[0] < 0:
            return inputs[0]
        return 0 if self.count < 0 else max(inputs[0] - self.count, 0)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class SkipExec(UnaryExec):
    """Goes on when the input's position has reached the count."""

    def __init__(self, stream: Stream, count: int, calls_user: bool) -> None:
        super().__init__(stream)
        self._count = count
        self._calls_user = calls_user

    def _reach(self) -> bool:
        """Go past what is left out; return False if nothing comes after it."""
        stream = self.input
        while (left := self._count - stream.position) > 0:
            if self._calls_user:
                if stream.pull(min(left, _RUN)) is None:
                    return False
            elif not stream.discard(left):
                return False
        return self._count >= 0

    def pull(self, limit: int) -> Block | None:
        """Pass on what comes after."""
        return self.input.pull(limit) if self._reach() else None

    def skip(self, count: int) -> int:
        """Skip in the input."""
        return self.input.discard(count) if self._reach() else 0
