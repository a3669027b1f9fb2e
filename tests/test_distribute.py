"""One replica: what the recorded cases in tests/golden do not say."""

import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError

STRATEGY = tf.distribute.get_strategy()


def test_several_processes_share_a_dataset():
    parts = []
    for number in range(3):
        context = tf.distribute.InputContext(3, number, 3)
        ds = tf.data.Dataset.range(12)
        ds = ds.shard(context.num_input_pipelines, context.input_pipeline_id)
        parts.append([int(x) for x in ds.batch(context.get_per_replica_batch_size(6)).unbatch()])

    assert sorted(x for part in parts for x in part) == list(range(12))


def test_a_dataset_is_not_changed():
    ds = tf.data.Dataset.range(3)

    assert STRATEGY.experimental_distribute_dataset(ds) is ds
    with STRATEGY.scope() as inside:
        assert inside is STRATEGY


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda s: s.experimental_distribute_dataset([1]), "dataset must be a Dataset"),
        (lambda s: s.distribute_datasets_from_function(lambda _: 3), "what dataset_fn returns"),
        (lambda s: s.reduce("MAX", 1, None), r"must be ReduceOp\.SUM or ReduceOp\.MEAN"),
        (lambda s: s.run(abs, (1,), options=3), "options must be None"),
    ],
)
def test_what_cannot_be_is_refused(call, text):
    with pytest.raises((BuildError, BuildTypeError), match=text):
        call(STRATEGY)


@pytest.mark.parametrize("name", ["/gpu:0", "/device:TPU:0"])
def test_another_device_is_refused(name):
    with pytest.raises(BuildError, match="Move each batch where it is used"):
        tf.distribute.OneDeviceStrategy(name)


@pytest.mark.parametrize("name", ["MirroredStrategy", "TPUStrategy", "MultiWorkerMirroredStrategy"])
def test_several_replicas_are_refused(name):
    assert not hasattr(tf.distribute, name)
    with pytest.raises(AttributeError, match="one process feeds one replica"):
        getattr(tf.distribute, name)


def test_a_batch_must_be_divisible():
    with pytest.raises(BuildError, match="divisible by num_replicas_in_sync, which is 8, got 15"):
        tf.distribute.InputContext(num_replicas_in_sync=8).get_per_replica_batch_size(15)


def test_a_missing_method_says_what_to_do():
    with pytest.raises(AttributeError, match=r"use shard\(\) in each process"):
        _ = STRATEGY.extended
