"""shuffle: tf.data's order for the same seed, bit for bit."""

import numpy as np

from tests.golden.case import each


@each(buffer=[1, 2, 3, 7, 10, 50], seed=[0, 1, 42])
def case_shuffle(tf, buffer, seed):
    return tf.data.Dataset.range(10).shuffle(buffer, seed=seed)


@each(seed=[2**31 - 1, 2**31, 2**40, -1, -5])
def case_unusual_seed(tf, seed):
    return tf.data.Dataset.range(8).shuffle(5, seed=seed)


@each(buffer=[3, 20], seed=[1, 7], reshuffle=[None, True, False])
def case_three_iterations(tf, buffer, seed, reshuffle):
    ds = tf.data.Dataset.range(8).shuffle(buffer, seed, reshuffle_each_iteration=reshuffle)
    return [list(ds), list(ds), list(ds)]


@each(buffer=[3, 20], seed=[1, 7], reshuffle=[None, True, False])
def case_then_repeat(tf, buffer, seed, reshuffle):
    ds = tf.data.Dataset.range(6).shuffle(buffer, seed, reshuffle_each_iteration=reshuffle)
    return ds.repeat(3)


@each(buffer=[3, 8, 40], seed=[1, 7])
def case_after_repeat(tf, buffer, seed):
    return tf.data.Dataset.range(6).repeat(3).shuffle(buffer, seed)


def case_then_repeat_two_iterations(tf):
    ds = tf.data.Dataset.range(5).shuffle(5, seed=3).repeat(2)
    return [list(ds), list(ds)]


def case_then_repeat_forever(tf):
    return tf.data.Dataset.range(4).shuffle(4, seed=3).repeat().take(14)


def case_repeat_forever_then_shuffle(tf):
    return tf.data.Dataset.range(4).repeat().shuffle(6, seed=3).take(14)


def case_map_between(tf):
    return tf.data.Dataset.range(7).map(lambda x: x * 10).shuffle(4, seed=5).map(lambda x: x + 1)


def case_map_between_shuffle_and_repeat(tf):
    return tf.data.Dataset.range(5).shuffle(4, seed=5).map(lambda x: x * 10).repeat(2)


def case_batch_after(tf):
    return tf.data.Dataset.range(10).shuffle(10, seed=5).batch(3)


def case_batch_before(tf):
    return tf.data.Dataset.range(10).batch(2).shuffle(3, seed=5)


def case_after_filter(tf):
    return tf.data.Dataset.range(20).filter(lambda x: x % 3 != 0).shuffle(6, seed=9)


def case_structures(tf):
    ds = tf.data.Dataset.from_tensor_slices(
        {"a": np.arange(6), "s": ["a", "b", "c", "d", "e", "f"]}
    )
    return ds.shuffle(4, seed=2)


def case_strings(tf):
    return tf.data.Dataset.from_tensor_slices([b"a", b"b", b"c", b"d"]).shuffle(10, seed=2)


def case_two_shuffles(tf):
    return tf.data.Dataset.range(8).shuffle(4, seed=1).shuffle(4, seed=2)


def case_two_shuffles_repeat(tf):
    return tf.data.Dataset.range(5).shuffle(4, seed=1).shuffle(4, seed=2).repeat(2)


def case_take_after(tf):
    return tf.data.Dataset.range(10).shuffle(10, seed=1).take(4).repeat(2)


def case_skip_after(tf):
    return tf.data.Dataset.range(10).shuffle(10, seed=1).skip(6)


def case_cache_after(tf):
    ds = tf.data.Dataset.range(5).shuffle(5, seed=4).cache()
    return [list(ds), list(ds)]


def case_cache_before(tf):
    ds = tf.data.Dataset.range(5).cache().shuffle(5, seed=4)
    return [list(ds), list(ds)]


def case_shard_after(tf):
    return tf.data.Dataset.range(9).shuffle(9, seed=4, reshuffle_each_iteration=False).shard(2, 1)


def case_zip_of_shuffles(tf):
    ds = tf.data.Dataset.range(6).shuffle(6, seed=4)
    return tf.data.Dataset.zip((ds, ds))


def case_zip_of_shuffles_not_reshuffled(tf):
    ds = tf.data.Dataset.range(6).shuffle(6, seed=4, reshuffle_each_iteration=False)
    return tf.data.Dataset.zip((ds, ds))


def case_concatenate_of_shuffles(tf):
    ds = tf.data.Dataset.range(5).shuffle(5, seed=4)
    return ds.concatenate(ds)


def case_inside_flat_map(tf):
    return tf.data.Dataset.range(3).flat_map(lambda n: tf.data.Dataset.range(5).shuffle(5, seed=4))


def case_inside_interleave(tf):
    return tf.data.Dataset.range(2).interleave(
        lambda n: tf.data.Dataset.range(4).shuffle(4, seed=4, reshuffle_each_iteration=False),
        cycle_length=2,
    )


def case_prefetch_after(tf):
    ds = tf.data.Dataset.range(6).shuffle(6, seed=4).prefetch(2)
    return [list(ds), list(ds)]


def case_empty(tf):
    return tf.data.Dataset.range(0).shuffle(3, seed=1)


def case_empty_repeated(tf):
    return tf.data.Dataset.range(0).shuffle(3, seed=1).repeat(3)


def case_large_buffer_of_many(tf):
    return tf.data.Dataset.range(200).shuffle(64, seed=11)


def case_two_iterators_at_once(tf):
    ds = tf.data.Dataset.range(6).shuffle(6, seed=4)
    first, second = iter(ds), iter(ds)
    return [[next(first), next(second)] for _ in range(6)]


@each(buffer=[0, -1])
def case_bad_buffer(tf, buffer):
    return tf.data.Dataset.range(3).shuffle(buffer, seed=1)


def _lists(ds, times):
    return [list(ds) for _ in range(times)]


def case_batch_before_repeat_three_iterations(tf):
    return _lists(tf.data.Dataset.range(5).shuffle(5, seed=3).batch(2).repeat(2), 3)


def case_map_before_repeat_three_iterations(tf):
    return _lists(tf.data.Dataset.range(5).shuffle(5, seed=3).map(lambda x: x + 1).repeat(2), 3)


def case_repeat_of_repeat_two_iterations(tf):
    return _lists(tf.data.Dataset.range(4).shuffle(4, seed=3).repeat(2).repeat(2), 2)


def case_batch_before_repeat_of_repeat_two_iterations(tf):
    return _lists(tf.data.Dataset.range(4).shuffle(4, seed=3).batch(4).repeat(2).repeat(2), 2)


def case_repeat_without_fusion_two_iterations(tf):
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    ds = tf.data.Dataset.range(4).shuffle(4, seed=3).repeat(2)
    return _lists(ds.with_options(options), 2)


def case_repeat_of_nothing_counts_its_passes(tf):
    ds = tf.data.Dataset.range(4).shuffle(4, seed=3)
    return _lists(ds.filter(lambda x: x > 9).repeat(3), 2) + _lists(ds, 1)


def case_repeated_once_two_iterations(tf):
    return _lists(tf.data.Dataset.range(4).shuffle(4, seed=3).batch(2).repeat(1), 2)


def case_random_before_repeat_two_iterations(tf):
    ds = tf.data.Dataset.random(seed=3, rerandomize_each_iteration=True)
    return _lists(ds.take(2).repeat(2), 2)


def case_zip_of_one_shuffle_in_a_dict(tf):
    ds = tf.data.Dataset.range(5).shuffle(5, seed=3)
    return tf.data.Dataset.zip({"b": ds, "a": (ds.skip(1), ds)})
