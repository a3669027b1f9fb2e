"""cardinality: what is known about the length of everything without running it."""

import numpy as np

from tests.golden.case import each

CHAINS = {
    "range": lambda tf: tf.data.Dataset.range(7),
    "range_empty": lambda tf: tf.data.Dataset.range(0),
    "infinite": lambda tf: tf.data.Dataset.range(7).repeat(),
    "unknown": lambda tf: tf.data.Dataset.range(7).filter(lambda x: x > 1),
}

STEPS = {
    "map": lambda tf, ds: ds.map(lambda x: x),
    "filter": lambda tf, ds: ds.filter(lambda x: x > 1),
    "batch": lambda tf, ds: ds.batch(3),
    "batch_drop": lambda tf, ds: ds.batch(3, drop_remainder=True),
    "batch_larger": lambda tf, ds: ds.batch(30, drop_remainder=True),
    "padded_batch": lambda tf, ds: ds.padded_batch(3),
    "padded_batch_drop": lambda tf, ds: ds.padded_batch(3, drop_remainder=True),
    "ragged_batch": lambda tf, ds: ds.ragged_batch(3),
    "unbatch": lambda tf, ds: ds.batch(3).unbatch(),
    "unbatch_static": lambda tf, ds: ds.batch(3, drop_remainder=True).unbatch(),
    "rebatch": lambda tf, ds: ds.batch(3).rebatch(2),
    "rebatch_list": lambda tf, ds: ds.batch(3).rebatch([2, 1]),
    "rebatch_static": lambda tf, ds: ds.batch(4, drop_remainder=True).rebatch(2),
    "window": lambda tf, ds: ds.window(3),
    "window_drop": lambda tf, ds: ds.window(3, drop_remainder=True),
    "window_shift": lambda tf, ds: ds.window(3, shift=2),
    "window_shift_drop": lambda tf, ds: ds.window(3, shift=2, drop_remainder=True),
    "window_stride": lambda tf, ds: ds.window(3, shift=1, stride=2),
    "window_stride_drop": lambda tf, ds: ds.window(3, shift=1, stride=2, drop_remainder=True),
    "window_long_drop": lambda tf, ds: ds.window(30, shift=1, drop_remainder=True),
    "flat_map": lambda tf, ds: ds.flat_map(lambda x: tf.data.Dataset.range(2)),
    "flat_map_windows": lambda tf, ds: ds.window(3).flat_map(lambda w: w.batch(3)),
    "interleave": lambda tf, ds: ds.interleave(lambda x: tf.data.Dataset.range(2), cycle_length=2),
    "interleave_parallel": lambda tf, ds: ds.interleave(
        lambda x: tf.data.Dataset.range(2), cycle_length=2, num_parallel_calls=2
    ),
    "repeat_0": lambda tf, ds: ds.repeat(0),
    "repeat_2": lambda tf, ds: ds.repeat(2),
    "repeat": lambda tf, ds: ds.repeat(),
    "take_0": lambda tf, ds: ds.take(0),
    "take_3": lambda tf, ds: ds.take(3),
    "take_30": lambda tf, ds: ds.take(30),
    "take_all": lambda tf, ds: ds.take(-1),
    "skip_0": lambda tf, ds: ds.skip(0),
    "skip_3": lambda tf, ds: ds.skip(3),
    "skip_30": lambda tf, ds: ds.skip(30),
    "skip_all": lambda tf, ds: ds.skip(-1),
    "shard": lambda tf, ds: ds.shard(3, 0),
    "shard_last": lambda tf, ds: ds.shard(3, 2),
    "shard_many": lambda tf, ds: ds.shard(10, 9),
    "shuffle": lambda tf, ds: ds.shuffle(3, seed=1),
    "cache": lambda tf, ds: ds.cache(),
    "prefetch": lambda tf, ds: ds.prefetch(2),
    "enumerate": lambda tf, ds: ds.enumerate(),
    "take_while": lambda tf, ds: ds.take_while(lambda x: x < 3),
    "scan": lambda tf, ds: ds.scan(np.int64(0), lambda s, x: (s, x)),
    "unique": lambda tf, ds: ds.unique(),
    "ignore_errors": lambda tf, ds: ds.ignore_errors(),
    "with_options": lambda tf, ds: ds.with_options(tf.data.Options()),
    "zip_longer": lambda tf, ds: tf.data.Dataset.zip((ds, tf.data.Dataset.range(20))),
    "zip_shorter": lambda tf, ds: tf.data.Dataset.zip((ds, tf.data.Dataset.range(2))),
    "zip_infinite": lambda tf, ds: tf.data.Dataset.zip((ds, tf.data.Dataset.counter())),
    "zip_unknown": lambda tf, ds: tf.data.Dataset.zip(
        (ds, tf.data.Dataset.range(9).filter(lambda x: x > 1))
    ),
    "concatenate": lambda tf, ds: ds.concatenate(tf.data.Dataset.range(2)),
    "concatenate_infinite": lambda tf, ds: ds.concatenate(tf.data.Dataset.counter()),
    "concatenate_unknown": lambda tf, ds: ds.concatenate(
        tf.data.Dataset.range(9).filter(lambda x: x > 1)
    ),
    "group_by_window": lambda tf, ds: ds.group_by_window(
        lambda x: x % 2, lambda k, w: w.batch(2), window_size=2
    ),
    "sample": lambda tf, ds: tf.data.Dataset.sample_from_datasets(
        [ds, tf.data.Dataset.range(2)], seed=1
    ),
    "sample_stop": lambda tf, ds: tf.data.Dataset.sample_from_datasets(
        [ds, tf.data.Dataset.range(2)], seed=1, stop_on_empty_dataset=True
    ),
    "choose": lambda tf, ds: tf.data.Dataset.choose_from_datasets(
        [ds, tf.data.Dataset.range(2)], tf.data.Dataset.range(2).repeat(2)
    ),
    "choose_infinite": lambda tf, ds: tf.data.Dataset.choose_from_datasets(
        [ds, ds], tf.data.Dataset.range(2).repeat(), stop_on_empty_dataset=False
    ),
    "assert_cardinality": lambda tf, ds: ds.apply(tf.data.experimental.assert_cardinality(3)),
    "apply": lambda tf, ds: ds.apply(lambda d: d.take(2)),
}


@each(step=list(STEPS), chain=list(CHAINS))
def case_of(tf, step, chain):
    return int(STEPS[step](tf, CHAINS[chain](tf)).cardinality())


def case_of_tensors(tf):
    return int(tf.data.Dataset.from_tensors([1, 2, 3]).cardinality())


def case_of_slices(tf):
    return int(tf.data.Dataset.from_tensor_slices(np.zeros((4, 2))).cardinality())


def case_of_a_list(tf):
    return int(tf.data.experimental.from_list([1, 2, 3]).cardinality())


def case_of_a_generator(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([1]), output_signature=tf.TensorSpec((), np.int32)
    )
    return int(ds.cardinality())


def case_of_a_counter(tf):
    return int(tf.data.Dataset.counter().cardinality())


def case_of_rejection_resample(tf):
    ds = tf.data.Dataset.range(4).rejection_resample(
        lambda x: x % 2, target_dist=[0.5, 0.5], initial_dist=[0.5, 0.5]
    )
    return int(ds.cardinality())


def case_of_bucket_by_sequence_length(tf):
    ds = tf.data.Dataset.from_tensor_slices([[1, 1], [2, 2]])
    return int(ds.bucket_by_sequence_length(lambda x: x[0], [2], [1, 1]).cardinality())


def case_of_sparse_batch(tf):
    ds = tf.data.Dataset.from_tensor_slices([[1, 1], [2, 2], [3, 3]])
    return int(ds.sparse_batch(2, [2]).cardinality())
