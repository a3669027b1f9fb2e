"""sharded_shuffle: a shard of shuffled elements; those of other shards are not read.

No user asks for this step: the rule shard_into_shuffle puts it in the place of a shard()
of a shuffle().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from feedline.engine.access import Access
from feedline.engine.exec import Exec
from feedline.engine.meter import Meter
from feedline.ops.shard import ShardAccess, ShardExec
from feedline.ops.shuffle import IndexShuffleExec, Shuffle
from feedline.plan.node import Traits

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["ShardedShuffle"]


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class ShardedShuffle(Shuffle):
    """Every ``num_shards``-th of the shuffled elements, beginning with element ``index``."""

    num_shards: int = field(default=1, kw_only=True)
    index: int = field(default=0, kw_only=True)

    traits: ClassVar[Traits] = Traits(rows="fewer", random=True, shuffles=True)

    def lower(self, run: Run) -> Exec:
        """Draw for all shards, gather for this one; where that cannot be, leave out the others."""
        shuffled = super().lower(run)
        if isinstance(shuffled, IndexShuffleExec):
            return shuffled.every(self.num_shards, self.index)
        return ShardExec(run.stream(shuffled, Meter(self)), self.num_shards, self.index)

    def access(self, run: Run) -> Access | None:
        """Every n-th of the shuffled."""
        shuffled = super().access(run)
        return shuffled and ShardAccess(shuffled, self.num_shards, self.index)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, divided."""
        return inputs[0] if inputs[0] < 0 else len(range(self.index, inputs[0], self.num_shards))


# ---- what runs: IndexShuffleExec, see shuffle.py ----------------------------
