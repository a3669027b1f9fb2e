"""group: group_by_window, bucket_by_sequence_length, group_by_reducer."""

import numpy as np

from tests.golden.case import each, found_when_run, spec_of_results


@each(n=[0, 1, 7, 10], size=[1, 2, 3, 100])
def case_by_window(tf, n, size):
    return tf.data.Dataset.range(n).group_by_window(
        lambda x: x % 3, lambda key, window: window.batch(size), window_size=size
    )


def case_by_window_smaller_batches(tf):
    return tf.data.Dataset.range(10).group_by_window(
        lambda x: x % 2, lambda key, window: window.batch(2), window_size=3
    )


def case_by_window_size_func(tf):
    return tf.data.Dataset.range(20).group_by_window(
        lambda x: x % 3,
        lambda key, window: window.batch(10),
        window_size_func=lambda key: key + 1,
    )


def case_by_window_reduce_uses_the_key(tf):
    return tf.data.Dataset.range(8).group_by_window(
        lambda x: x % 2, lambda key, window: window.map(lambda x: (key, x)), window_size=2
    )


def case_by_window_remainders_come_by_key(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([5, 3, 5, 9, 3, 1], np.int64))
    return ds.group_by_window(lambda x: x, lambda key, w: w.batch(10), window_size=10)


def case_by_window_negative_keys(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([-1, 2, -1, 0], np.int64))
    return ds.group_by_window(lambda x: x, lambda key, w: w.batch(10), window_size=10)


def case_by_window_tuples(tf):
    ds = tf.data.Dataset.from_tensor_slices((np.array([0, 1, 0, 1]), [b"a", b"b", b"c", b"d"]))
    return ds.group_by_window(lambda k, s: k, lambda key, w: w.batch(2), window_size=2)


def case_by_window_filters_all(tf):
    return tf.data.Dataset.range(6).group_by_window(
        lambda x: x % 2, lambda key, w: w.filter(lambda x: x > 100), window_size=2
    )


def case_by_window_drop_remainder(tf):
    return tf.data.Dataset.range(7).group_by_window(
        lambda x: x % 2, lambda key, w: w.batch(2, drop_remainder=True), window_size=2
    )


def case_by_window_repeat(tf):
    ds = tf.data.Dataset.range(3).group_by_window(
        lambda x: x % 2, lambda key, w: w.batch(2), window_size=2
    )
    return ds.repeat(2)


def case_by_window_infinite(tf):
    return (
        tf.data.Dataset.range(3)
        .repeat()
        .group_by_window(lambda x: x % 2, lambda key, w: w.batch(2), window_size=2)
        .take(4)
    )


def case_by_window_padded(tf):
    def gen():
        for n in (1, 3, 2, 4):
            yield np.full(n, n, np.int64)

    ds = tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((None,), np.int64))
    return ds.group_by_window(lambda x: x[0] % 2, lambda k, w: w.padded_batch(2), window_size=2)


@found_when_run
def case_by_window_key_not_int64(tf):
    return tf.data.Dataset.range(4).group_by_window(
        lambda x: x / 2, lambda key, w: w.batch(2), window_size=2
    )


def case_by_window_size_zero(tf):
    return tf.data.Dataset.range(4).group_by_window(
        lambda x: x, lambda key, w: w.batch(2), window_size=0
    )


def case_by_window_no_size(tf):
    return tf.data.Dataset.range(4).group_by_window(lambda x: x, lambda key, w: w.batch(2))


def case_by_window_both_sizes(tf):
    return tf.data.Dataset.range(4).group_by_window(
        lambda x: x, lambda key, w: w.batch(2), window_size=2, window_size_func=lambda key: 2
    )


@found_when_run
def case_by_window_reduce_not_a_dataset(tf):
    return tf.data.Dataset.range(4).group_by_window(lambda x: x, lambda key, w: key, window_size=2)


def _sentences(tf, *lengths):
    def gen():
        for n in lengths:
            yield np.full(n, n, np.int32)

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((None,), np.int32))


LENGTHS = (1, 4, 2, 6, 3, 8, 5, 2, 1, 7, 5)


def case_bucket(tf):
    return _sentences(tf, *LENGTHS).bucket_by_sequence_length(
        lambda x: x[0], bucket_boundaries=[3, 5], bucket_batch_sizes=[2, 2, 3]
    )


def case_bucket_drop_remainder(tf):
    return _sentences(tf, *LENGTHS).bucket_by_sequence_length(
        lambda x: x[0], [3, 5], [2, 2, 3], drop_remainder=True
    )


def case_bucket_pad_to_boundary(tf):
    return _sentences(tf, 1, 2, 3, 4, 2, 1).bucket_by_sequence_length(
        lambda x: x[0], [3, 5], [2, 2, 2], pad_to_bucket_boundary=True
    )


def case_bucket_pad_to_boundary_too_long(tf):
    return _sentences(tf, 1, 5).bucket_by_sequence_length(
        lambda x: x[0], [3, 5], [2, 2, 2], pad_to_bucket_boundary=True
    )


def case_bucket_padding_values(tf):
    return _sentences(tf, *LENGTHS).bucket_by_sequence_length(
        lambda x: x[0], [3, 5], [2, 2, 3], padding_values=-1
    )


def case_bucket_padded_shapes(tf):
    return _sentences(tf, *LENGTHS).bucket_by_sequence_length(
        lambda x: x[0], [3, 5], [2, 2, 3], padded_shapes=[9]
    )


def case_bucket_no_padding(tf):
    return _sentences(tf, 2, 3, 3, 2).bucket_by_sequence_length(
        lambda x: x[0], [3], [2, 2], no_padding=True
    )


def case_bucket_with_labels(tf):
    ds = tf.data.Dataset.zip((_sentences(tf, 1, 4, 2, 4), tf.data.Dataset.range(4)))
    return ds.bucket_by_sequence_length(lambda x, y: x[0], [3], [2, 2])


def case_bucket_wrong_number_of_sizes(tf):
    return _sentences(tf, 1).bucket_by_sequence_length(lambda x: x[0], [3, 5], [2, 2])


def _reducer(tf):
    return tf.data.experimental.Reducer(
        init_func=lambda key: (np.int64(0), np.int64(0)),
        reduce_func=lambda state, x: (state[0] + x, state[1] + 1),
        finalize_func=lambda total, count: (total, count),
    )


@spec_of_results
def case_by_reducer(tf):
    return tf.data.Dataset.range(10).apply(
        tf.data.experimental.group_by_reducer(lambda x: x % 3, _reducer(tf))
    )


@spec_of_results
def case_by_reducer_keys_in_which_order(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([7, 3, 7, 9, 1], np.int64))
    return ds.apply(tf.data.experimental.group_by_reducer(lambda x: x, _reducer(tf)))


@spec_of_results
def case_by_reducer_one_state(tf):
    reducer = tf.data.experimental.Reducer(
        lambda key: key * 100, lambda state, x: state + x, lambda state: state
    )
    return tf.data.Dataset.range(6).apply(
        tf.data.experimental.group_by_reducer(lambda x: x % 2, reducer)
    )


@spec_of_results
def case_by_reducer_empty(tf):
    return tf.data.Dataset.range(0).apply(
        tf.data.experimental.group_by_reducer(lambda x: x % 3, _reducer(tf))
    )
