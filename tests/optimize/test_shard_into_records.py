"""The rule that goes past the records of other shards."""

import feedline as tf
from feedline.data import Dataset, TFRecordDataset
from feedline.pipeline import rewritten


def fires(ds):
    return "shard_into_records" in rewritten(ds.node, ds.options())[1]


def test_it_fires_right_after_the_files():
    files = TFRecordDataset(["a", "b"])

    assert fires(files.shard(2, 1))
    assert fires(TFRecordDataset("a", "GZIP").shard(2, 1))
    assert fires(files.shard(2, 1).map(len).batch(3))
    assert fires(files.shard(4, 1).shard(2, 1))


def test_it_does_not_fire_elsewhere():
    files = TFRecordDataset(["a", "b"])

    assert not fires(files.shard(1, 0))
    assert not fires(files.map(len).shard(2, 1))
    assert not fires(TFRecordDataset(["a", "b"], num_parallel_reads=2).shard(2, 1))
    assert not fires(Dataset.range(4).shard(2, 1))


def test_it_can_be_switched_off():
    ds = TFRecordDataset("a").shard(2, 1)

    assert not fires(ds.with_options(tf.data.Options(skip_rules=["shard_into_records"])))
