"""shard: every n-th element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from feedline.engine.access import Access, CursorExec
from feedline.engine.exec import Exec, UnaryExec
from feedline.errors import BuildError, check_at_least, check_integer
from feedline.options import SHARD_HINT
from feedline.plan.node import Traits, UnaryNode

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["Shard", "ShardAccess", "ShardExec", "shard"]

# How many elements of all shards are read at once.
_RUN = 1 << 14

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def shard(self: Dataset[T], num_shards: int, index: int, name: str | None = None) -> Dataset[T]:
    """Return every ``num_shards``-th element, beginning with element ``index``.

    The shards of all indices together have every element exactly once. Functions before
    it are called on the elements of all shards: shard first, before maps and shuffles.

    Args:
        num_shards: How many shards there are.
        index: Which of them to return, from 0.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(10).shard(3, 1)]
        [1, 4, 7]
    """
    number = check_integer("shard()", "index", index)
    count = check_integer("shard()", "num_shards", num_shards)
    if count != SHARD_HINT:
        check_at_least("shard()", "num_shards", count, 1)
        if not 0 <= number < count:
            raise BuildError(f"shard(): index must be between 0 and {count - 1}, got {number}.")
    return self.then(Shard(self.node, count, number, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Shard(UnaryNode):
    """Every ``num_shards``-th element, beginning with element ``index``."""

    num_shards: int
    index: int

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, keeps_values=True)

    def lower(self, run: Run) -> Exec:
        """Go from one to the next by index where that leaves out no calls of a function."""
        access = self.access(run)
        if access is not None and not access.calls_user:
            return CursorExec(access)
        return ShardExec(run.open(self.input), self._known_shards(), self.index)

    def access(self, run: Run) -> Access | None:
        """Every n-th of the input's."""
        inner = self.input.access(run)
        return None if inner is None else ShardAccess(inner, self._known_shards(), self.index)

    @property
    def is_noop(self) -> bool:
        """Whether there is one shard."""
        return self.num_shards == 1

    def _known_shards(self) -> int:
        if self.num_shards == SHARD_HINT:
            raise BuildError(
                f"shard(SHARD_HINT) built at {self.site}: only a distributed dataset says how many "
                "shards there are. Give num_shards and index to iterate over it here."
            )
        return self.num_shards

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, divided."""
        if inputs[0] < 0 or self.num_shards == SHARD_HINT:
            return inputs[0]
        return len(range(self.index, inputs[0], self.num_shards))

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class ShardExec(UnaryExec):
    """Picks elements by their position in the input."""

    def __init__(self, stream: Stream, num_shards: int, index: int) -> None:
        super().__init__(stream)
        self._num_shards = num_shards
        self._index = index

    def pull(self, limit: int) -> Block | None:
        """Read up to the ``limit``-th element of this shard."""
        stream, step = self.input, self._num_shards
        between = min((limit - 1) * step, _RUN) // step * step
        while True:
            ahead = (self._index - stream.position) % step
            block = stream.pull(ahead + 1 + between)
            if block is None:
                return None
            if ahead < block.length:
                return block.take(np.arange(ahead, block.length, step))

    def skip(self, count: int) -> int:
        """Skip in the input, those of other shards too."""
        if count < 1:
            return 0
        stream, step = self.input, self._num_shards
        ahead = (self._index - stream.position) % step
        gone = stream.discard(ahead + 1 + (count - 1) * step)
        return len(range(ahead, gone, step))


class ShardAccess(Access):
    """Every n-th element of another Access."""

    def __init__(self, inner: Access, num_shards: int, index: int) -> None:
        self._inner = inner
        self._num_shards = num_shards
        self._index = index
        self._length = len(range(index, len(inner), num_shards))
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return self._length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Get the elements of the input that belong to this shard."""
        return self._inner.gather(index * self._num_shards + self._index)
