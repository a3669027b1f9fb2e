"""window: datasets of neighbouring elements."""

from collections import namedtuple

import numpy as np

from tests.golden.case import each, spec_of_results

Point = namedtuple("Point", ["x", "y"])


@each(n=[0, 1, 4, 7], size=[1, 2, 3, 10], drop=[False, True])
def case_size(tf, n, size, drop):
    return tf.data.Dataset.range(n).window(size, drop_remainder=drop)


@each(size=[2, 3], shift=[1, 2, 4], stride=[1, 2, 3], drop=[False, True])
def case_shift_and_stride(tf, size, shift, stride, drop):
    ds = tf.data.Dataset.range(9)
    return ds.window(size, shift=shift, stride=stride, drop_remainder=drop)


def case_tuple(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2, 3], ["a", "b", "c"])).window(2)


def case_dict(tf):
    return tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": [4.0, 5.0, 6.0]}).window(2)


def case_nest(tf):
    ds = tf.data.Dataset.from_tensor_slices(({"a": [1, 2]}, Point([3, 4], [5, 6])))
    return ds.window(1)


def case_arrays(tf):
    return tf.data.Dataset.from_tensor_slices(np.arange(6).reshape(3, 2)).window(2)


def case_of_windows(tf):
    return tf.data.Dataset.range(5).window(2).window(2)


def case_flat_map_identity(tf):
    return tf.data.Dataset.range(5).window(2, shift=1).flat_map(lambda w: w)


@each(shift=[1, 2, 3], drop=[False, True])
def case_flat_map_batch(tf, shift, drop):
    ds = tf.data.Dataset.range(7).window(3, shift=shift, drop_remainder=drop)
    return ds.flat_map(lambda w: w.batch(3))


def case_flat_map_batch_drop(tf):
    ds = tf.data.Dataset.range(7).window(3, shift=2)
    return ds.flat_map(lambda w: w.batch(3, drop_remainder=True))


def case_flat_map_batch_with_stride(tf):
    ds = tf.data.Dataset.range(10).window(3, shift=1, stride=3, drop_remainder=True)
    return ds.flat_map(lambda w: w.batch(3))


def case_flat_map_smaller_batches(tf):
    return tf.data.Dataset.range(8).window(4).flat_map(lambda w: w.batch(3))


def case_flat_map_zip_of_a_pair(tf):
    ds = tf.data.Dataset.from_tensor_slices((np.arange(5), np.arange(5) * 10)).window(2, shift=1)
    return ds.flat_map(lambda a, b: tf.data.Dataset.zip((a.batch(2), b.batch(2))))


def case_flat_map_zip_of_a_dict(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": np.arange(4), "b": np.arange(4.0)}).window(2)
    return ds.flat_map(lambda d: tf.data.Dataset.zip({k: v.batch(2) for k, v in d.items()}))


@spec_of_results
def case_input_and_label(tf):
    ds = tf.data.Dataset.range(7).window(4, shift=1, drop_remainder=True)
    return ds.flat_map(lambda w: w.batch(4)).map(lambda w: (w[:-1], w[-1]))


def case_map_of_a_window(tf):
    ds = tf.data.Dataset.range(5).window(2)
    return ds.flat_map(lambda w: w.map(lambda x: x * 2).filter(lambda x: x > 2))


def case_flat_map_padded_batch(tf):
    return tf.data.Dataset.range(5).window(2).flat_map(lambda w: w.padded_batch(2))


def case_window_cardinality_inside(tf):
    ds = tf.data.Dataset.range(5).window(2)
    return [int(w.cardinality()) for w in ds]


def case_window_used_twice(tf):
    return [[list(w), list(w)] for w in tf.data.Dataset.range(3).window(2)]


def case_window_kept_for_later(tf):
    windows = list(tf.data.Dataset.range(4).window(2))
    return [list(w) for w in reversed(windows)]


def case_infinite(tf):
    return tf.data.Dataset.range(3).repeat().window(2).take(3)


def case_reduce_inside_map(tf):
    ds = tf.data.Dataset.range(6).window(3)
    return ds.map(lambda w: w.reduce(np.int64(0), lambda s, x: s + x))


def case_interleave_windows(tf):
    return tf.data.Dataset.range(6).window(3).interleave(lambda w: w, cycle_length=2)


@each(size=[0, -1])
def case_bad_size(tf, size):
    return tf.data.Dataset.range(3).window(size)


@each(shift=[0, -1])
def case_bad_shift(tf, shift):
    return tf.data.Dataset.range(3).window(2, shift=shift)


@each(stride=[0, -1])
def case_bad_stride(tf, stride):
    return tf.data.Dataset.range(3).window(2, stride=stride)
