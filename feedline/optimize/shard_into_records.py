"""shard_into_records: go past the records of other shards without making elements of them.

shard(n, i) of TFRecordDataset(files)   ->   sharded_records(n, i) of the names of the files

Where files are read in turn it depends on the lengths of all of them which records a shard has.
"""

from __future__ import annotations

from feedline.ops.shard import Shard
from feedline.ops.sharded_records import ShardedRecords
from feedline.ops.tf_record_dataset import TFRecordDatasetNode
from feedline.options import SHARD_HINT
from feedline.plan.node import Node

__all__ = ["shard_into_records"]


def shard_into_records(node: Node) -> Node | None:
    """Make one step of a shard and the files below it."""
    if not isinstance(node, Shard) or node.num_shards == SHARD_HINT:
        return None
    files = node.input
    if type(files) is not TFRecordDatasetNode or files.cycle_length > 1:
        return None
    return ShardedRecords(
        files.input, node.num_shards, node.index, files, name=node.name, site=node.site
    )
