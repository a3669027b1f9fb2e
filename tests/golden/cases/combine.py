"""combine: zip, concatenate, repeat, take, skip, shard, cache, prefetch, unique."""

from collections import namedtuple

import numpy as np

from tests.golden.case import each

Point = namedtuple("Point", ["x", "y"])


def case_zip_pair(tf):
    return tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)))


def case_zip_arguments(tf):
    return tf.data.Dataset.zip(tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13))


def case_zip_keyword(tf):
    return tf.data.Dataset.zip(datasets=(tf.data.Dataset.range(2), tf.data.Dataset.range(2)))


def case_zip_one(tf):
    return tf.data.Dataset.zip(tf.data.Dataset.range(3))


def case_zip_one_tuple(tf):
    return tf.data.Dataset.zip((tf.data.Dataset.range(3),))


def case_zip_shortest(tf):
    return tf.data.Dataset.zip(
        (tf.data.Dataset.range(5), tf.data.Dataset.range(2), tf.data.Dataset.counter())
    )


def case_zip_empty(tf):
    return tf.data.Dataset.zip((tf.data.Dataset.range(5), tf.data.Dataset.range(0)))


def case_zip_dict(tf):
    return tf.data.Dataset.zip({"b": tf.data.Dataset.range(2), "a": tf.data.Dataset.range(5, 8)})


def case_zip_nested(tf):
    a, b = tf.data.Dataset.range(2), tf.data.Dataset.range(10, 12)
    return tf.data.Dataset.zip((a, (b, {"c": a}), Point(b, a)))


def case_zip_nested_arguments(tf):
    a, b = tf.data.Dataset.range(2), tf.data.Dataset.range(10, 12)
    return tf.data.Dataset.zip(a, (b, a))


def case_zip_structures(tf):
    a = tf.data.Dataset.from_tensor_slices(([1, 2], ["a", "b"]))
    b = tf.data.Dataset.from_tensor_slices({"x": [1.0, 2.0]})
    return tf.data.Dataset.zip((a, b))


def case_zip_batches(tf):
    a, b = tf.data.Dataset.range(5).batch(2), tf.data.Dataset.range(10, 13)
    return tf.data.Dataset.zip((a, b))


def case_zip_repeat(tf):
    a, b = tf.data.Dataset.range(2), tf.data.Dataset.range(3)
    return tf.data.Dataset.zip((a, b)).repeat(2)


def case_zip_list(tf):
    return tf.data.Dataset.zip([tf.data.Dataset.range(2), tf.data.Dataset.range(2)])


def case_zip_nothing(tf):
    return tf.data.Dataset.zip()


def case_zip_not_datasets(tf):
    return tf.data.Dataset.zip((tf.data.Dataset.range(2), 3))


def case_concatenate(tf):
    return tf.data.Dataset.range(3).concatenate(tf.data.Dataset.range(10, 12))


def case_concatenate_empty_first(tf):
    return tf.data.Dataset.range(0).concatenate(tf.data.Dataset.range(2))


def case_concatenate_empty_second(tf):
    return tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(0))


def case_concatenate_three(tf):
    a = tf.data.Dataset.range(2)
    return a.concatenate(a).concatenate(a)


def case_concatenate_structures(tf):
    a = tf.data.Dataset.from_tensor_slices({"a": [1], "b": ["x"]})
    b = tf.data.Dataset.from_tensor_slices({"b": ["y"], "a": [2]})
    return a.concatenate(b)


def case_concatenate_different_shapes(tf):
    a = tf.data.Dataset.from_tensor_slices([[1, 2]])
    return a.concatenate(tf.data.Dataset.from_tensor_slices([[1, 2, 3]]))


def case_concatenate_different_ranks(tf):
    a = tf.data.Dataset.from_tensor_slices([1])
    return a.concatenate(tf.data.Dataset.from_tensor_slices([[1, 2, 3]]))


def case_concatenate_batches(tf):
    return tf.data.Dataset.range(3).batch(2).concatenate(tf.data.Dataset.range(4).batch(2))


def case_concatenate_infinite(tf):
    a = tf.data.Dataset.range(2)
    return a.concatenate(a.repeat()).take(5)


def case_concatenate_repeat(tf):
    return tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(5, 6)).repeat(2)


def case_concatenate_different_dtypes(tf):
    a = tf.data.Dataset.from_tensor_slices(np.array([1], np.int32))
    return a.concatenate(tf.data.Dataset.range(2))


def case_concatenate_different_structures(tf):
    a = tf.data.Dataset.range(2)
    return a.concatenate(tf.data.Dataset.zip(a, a))


def case_concatenate_not_a_dataset(tf):
    return tf.data.Dataset.range(2).concatenate([1, 2])


@each(count=[0, 1, 2, 3])
def case_repeat(tf, count):
    return tf.data.Dataset.range(3).repeat(count)


@each(count=[None, -1])
def case_repeat_forever(tf, count):
    return tf.data.Dataset.range(3).repeat(count).take(7)


def case_repeat_empty(tf):
    return tf.data.Dataset.range(0).repeat(3)


def case_repeat_empty_forever(tf):
    return tf.data.Dataset.range(0).repeat()


def case_repeat_of_repeat(tf):
    return tf.data.Dataset.range(2).repeat(2).repeat(2)


def case_repeat_below_minus_one(tf):
    return tf.data.Dataset.range(2).repeat(-2).take(5)


def case_repeat_then_batch(tf):
    return tf.data.Dataset.range(3).repeat(2).batch(4)


def case_batch_then_repeat(tf):
    return tf.data.Dataset.range(3).batch(2).repeat(2)


@each(count=[0, 1, 3, 10, -1, -2])
def case_take(tf, count):
    return tf.data.Dataset.range(5).take(count)


def case_take_empty(tf):
    return tf.data.Dataset.range(0).take(2)


@each(count=[0, 1, 3, 5, 10, -1, -2])
def case_skip(tf, count):
    return tf.data.Dataset.range(5).skip(count)


def case_take_of_skip(tf):
    return tf.data.Dataset.range(10).skip(3).take(4)


def case_skip_of_take(tf):
    return tf.data.Dataset.range(10).take(4).skip(3)


def case_skip_then_repeat(tf):
    return tf.data.Dataset.range(4).skip(2).repeat(2)


def case_repeat_then_skip(tf):
    return tf.data.Dataset.range(4).repeat(2).skip(6)


def case_skip_strings(tf):
    return tf.data.Dataset.from_tensor_slices(["a", "b", "c"]).skip(1)


@each(shards=[1, 2, 3, 7], index=[0, 1, 2])
def case_shard(tf, shards, index):
    return tf.data.Dataset.range(6).shard(shards, index)


def case_shard_of_shard(tf):
    return tf.data.Dataset.range(20).shard(2, 1).shard(3, 0)


def case_shard_structures(tf):
    return tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3, 4], "b": ["w", "x", "y", "z"]}).shard(
        2, 1
    )


@each(args=[(0, 0), (-1, 0), (2, 2), (2, -1), (3, 5)])
def case_shard_bad(tf, args):
    return tf.data.Dataset.range(6).shard(*args)


def case_cache(tf):
    ds = tf.data.Dataset.range(4).map(lambda x: x * 2).cache()
    return [list(ds), list(ds)]


def case_cache_repeat(tf):
    return tf.data.Dataset.range(3).cache().repeat(2)


def case_cache_take_after(tf):
    return tf.data.Dataset.range(5).cache().take(2).repeat(2)


def case_cache_structures(tf):
    return tf.data.Dataset.from_tensor_slices(({"a": [1, 2]}, ["x", "y"])).cache().repeat(2)


def case_cache_empty(tf):
    return tf.data.Dataset.range(0).cache()


def case_cache_generator_runs_once(tf):
    calls = []

    def gen():
        calls.append(1)
        yield from range(3)

    ds = tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((), np.int32)).cache()
    return [list(ds), list(ds), len(calls)]


def case_cache_partial_first_pass(tf):
    calls = []

    def gen():
        calls.append(1)
        yield from range(3)

    ds = tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((), np.int32)).cache()
    return [list(ds.take(2)), list(ds), list(ds), len(calls)]


@each(size=[0, 1, 2, 100])
def case_prefetch(tf, size):
    return tf.data.Dataset.range(4).prefetch(size)


def case_prefetch_autotune(tf):
    return tf.data.Dataset.range(4).batch(3).prefetch(tf.data.AUTOTUNE)


def case_prefetch_empty(tf):
    return tf.data.Dataset.range(0).prefetch(2)


def case_prefetch_repeat(tf):
    return tf.data.Dataset.range(3).prefetch(2).repeat(2)


def case_prefetch_bad(tf):
    return tf.data.Dataset.range(3).prefetch(-2)


@each(dtype=["int32", "int64"])
def case_unique(tf, dtype):
    return tf.data.Dataset.from_tensor_slices(np.array([3, 1, 3, 2, 1, 3], dtype)).unique()


def case_unique_strings(tf):
    return tf.data.Dataset.from_tensor_slices([b"a", b"b", b"a", b""]).unique()


def case_unique_empty(tf):
    return tf.data.Dataset.range(0).unique()


def case_unique_then_repeat(tf):
    return tf.data.Dataset.from_tensor_slices([1, 1, 2]).unique().repeat(2)


def case_repeat_then_unique(tf):
    return tf.data.Dataset.range(3).repeat(3).unique()


def case_unique_of_vectors(tf):
    return tf.data.Dataset.from_tensor_slices([[1, 2], [1, 2], [3, 4]]).unique()


def case_unique_floats(tf):
    return tf.data.Dataset.from_tensor_slices([1.0, 1.0]).unique()


def case_unique_tuples(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 1], [2, 2])).unique()
