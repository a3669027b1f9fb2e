"""noop_elimination: leave out steps that change nothing.

take(-1), skip(0), repeat(1), shard(1, 0), shuffle(1) of X   ->   X
"""

from __future__ import annotations

from feedline.ops.shuffle import Shuffle
from feedline.plan.node import Node

__all__ = ["noop_elimination"]


def noop_elimination(node: Node) -> Node | None:
    """Return what a step that changes nothing reads from, in its place."""
    # tf.data runs a buffer of one element, but the order does not tell.
    if node.is_noop or (isinstance(node, Shuffle) and node.buffer_size == 1):
        return node.inputs[0]
    return None
