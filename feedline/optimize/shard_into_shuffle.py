"""shard_into_shuffle: draw the order of all elements, but read those of one shard alone.

shard(n, i) of shuffle(k) of X   ->   sharded_shuffle(k, n, i) of X

Where X calls a user's function, that must be called for the elements of all shards anyway.
"""

from __future__ import annotations

from feedline.ops.shard import Shard
from feedline.ops.sharded_shuffle import ShardedShuffle
from feedline.ops.shuffle import Shuffle
from feedline.options import SHARD_HINT
from feedline.plan.node import Node
from feedline.plan.rewrite import walk

__all__ = ["shard_into_shuffle"]


def shard_into_shuffle(node: Node) -> Node | None:
    """Make one step of a shard and the shuffle below it."""
    if not isinstance(node, Shard) or node.num_shards == SHARD_HINT:
        return None
    shuffle = node.input
    # A shuffle of everything at once is read by index, and so is a shard of it.
    if type(shuffle) is not Shuffle or shuffle.buffer_size is None:
        return None
    if any(below.traits.calls_user for below in walk(shuffle)):
        return None
    return ShardedShuffle(
        shuffle.input,
        shuffle.buffer_size,
        shuffle.seed,
        shuffle.reshuffle,
        num_shards=node.num_shards,
        index=node.index,
        number=shuffle.number,
        rounds=shuffle.rounds,
        name=shuffle.name,
        site=shuffle.site,
    )
