"""take: stop after the first ``count`` elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from feedline.engine.access import Access
from feedline.engine.exec import UnaryExec, after
from feedline.errors import check_integer
from feedline.options import UNKNOWN_CARDINALITY
from feedline.plan.node import Traits, UnaryNode

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.quarantine import Origin

__all__ = ["RangeOfAccess", "Take", "take"]

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def take(self: Dataset[T], count: int, name: str | None = None) -> Dataset[T]:
    """Return the first ``count`` elements, or all of them if there are fewer.

    Args:
        count: How many; a negative number takes all.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(5).take(2)]
        [0, 1]
    """
    return self.then(Take(self.node, check_integer("take()", "count", count), name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Take(UnaryNode):
    """The first ``count`` elements, or all if it is negative."""

    count: int

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, keeps_values=True)

    def lower(self, run: Run) -> TakeExec:
        """Never ask for more than is wanted."""
        return TakeExec(run.open(self.input), self.count)

    def access(self, run: Run) -> Access | None:
        """The front of the input."""
        inner = self.input.access(run)
        if inner is None or self.count < 0:
            return inner
        return RangeOfAccess(inner, 0, min(self.count, len(inner)))

    @property
    def is_noop(self) -> bool:
        """Whether all are taken."""
        return self.count < 0

    def origin_of(self, state: State, run: Run) -> Origin | None:
        """The input's."""
        return self.input.origin_of(after(state["in"][0], int(state.get("skip", 0))), run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """At most ``count``; tf.data knows -1 for all, and is not sure about less."""
        if self.count < -1 or inputs[0] == UNKNOWN_CARDINALITY:
            return UNKNOWN_CARDINALITY
        if self.count == -1:
            return inputs[0]
        return self.count if inputs[0] < 0 else min(self.count, inputs[0])

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class TakeExec(UnaryExec):
    """Stops when the input's position reaches the count."""

    def __init__(self, stream: Stream, count: int) -> None:
        super().__init__(stream)
        self._count = count

    def _wanted(self, limit: int) -> int:
        return limit if self._count < 0 else min(limit, self._count - self.input.position)

    def pull(self, limit: int) -> Block | None:
        """Pass on as many elements as are still wanted."""
        wanted = self._wanted(limit)
        return self.input.pull(wanted) if wanted > 0 else None

    def skip(self, count: int) -> int:
        """Skip in the input."""
        return self.input.discard(max(self._wanted(count), 0))


class RangeOfAccess(Access):
    """Some consecutive elements of another Access."""

    def __init__(self, inner: Access, start: int, stop: int) -> None:
        self._inner = inner
        self._start = start
        self._length = max(stop - start, 0)
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return self._length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Shift the indices."""
        return self._inner.gather(index + self._start)

    def run(self, start: int, stop: int) -> Block:
        """Shift the range."""
        return self._inner.run(start + self._start, stop + self._start)
