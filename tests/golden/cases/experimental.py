"""experimental: tf.data.experimental without files, and ignore_errors."""

import numpy as np

from tests.golden.case import each, raises


@each(n=[5, -1, -2])
def case_assert_cardinality_declares(tf, n):
    ds = tf.data.Dataset.range(5) if n != -1 else tf.data.Dataset.range(5).repeat()
    return int(ds.apply(tf.data.experimental.assert_cardinality(n)).cardinality())


def case_assert_cardinality(tf):
    ds = tf.data.Dataset.range(10).filter(lambda x: x % 2 == 0)
    return ds.apply(tf.data.experimental.assert_cardinality(5))


def case_assert_cardinality_too_few(tf):
    ds = tf.data.Dataset.range(10).filter(lambda x: x % 2 == 0)
    return ds.apply(tf.data.experimental.assert_cardinality(6))


def case_assert_cardinality_too_many(tf):
    ds = tf.data.Dataset.range(10).filter(lambda x: x % 2 == 0)
    return ds.apply(tf.data.experimental.assert_cardinality(4))


def case_assert_cardinality_batch(tf):
    ds = tf.data.Dataset.range(10).filter(lambda x: x % 2 == 0)
    return ds.apply(tf.data.experimental.assert_cardinality(5)).batch(2)


@each(n=[3, 5, 6])
def case_pad_to_cardinality(tf, n):
    ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3]})
    return ds.apply(tf.data.experimental.pad_to_cardinality(n))


def case_pad_to_cardinality_mask_key(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": [[1.0, 2.0]], "s": ["x"]})
    return ds.apply(tf.data.experimental.pad_to_cardinality(3, mask_key="m"))


def case_pad_to_cardinality_too_many(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3]})
    return ds.apply(tf.data.experimental.pad_to_cardinality(2))


def case_pad_to_cardinality_not_a_dict(tf):
    return tf.data.Dataset.range(3).apply(tf.data.experimental.pad_to_cardinality(5))


def case_pad_to_cardinality_key_taken(tf):
    ds = tf.data.Dataset.from_tensor_slices({"valid": [1, 2, 3]})
    return ds.apply(tf.data.experimental.pad_to_cardinality(5))


def case_experimental_cardinality(tf):
    return int(tf.data.experimental.cardinality(tf.data.Dataset.range(4).batch(3)))


# Element `bad` asks for a place that its row does not have: InvalidArgumentError with TensorFlow,
# NumPy's IndexError with Feedline.
def _pick(tf, n=6, bad=2):
    places = np.zeros(n, np.int64)
    places[bad] = 9
    return tf.data.Dataset.from_tensor_slices((np.arange(n)[:, None] * 10, places))


@raises(IndexError)
def case_error_in_a_map(tf):
    return _pick(tf).map(lambda row, place: row[place])


@raises(IndexError)
@each(parallel=[None, 2])
def case_error_in_a_batch(tf, parallel):
    return _pick(tf, 7).map(lambda row, place: row[place], num_parallel_calls=parallel).batch(2)


def case_ignore_errors(tf):
    return _pick(tf).map(lambda row, place: row[place]).ignore_errors()


def case_ignore_errors_none_raised(tf):
    return tf.data.Dataset.range(3).ignore_errors()


def case_ignore_errors_before_batch(tf):
    return _pick(tf, 7).map(lambda row, place: row[place]).ignore_errors().batch(3)


@each(bad=[0, 1, 2, 3, 4, 6], parallel=[None, 2], drop=[False, True])
def case_ignore_errors_after_batch(tf, bad, parallel, drop):
    ds = _pick(tf, 7, bad).map(lambda row, place: row[place], num_parallel_calls=parallel)
    return ds.batch(3, drop_remainder=drop).ignore_errors()


@each(bad=[0, 1, 2, 3, 4, 6])
def case_ignore_errors_after_batch_without_fusion(tf, bad):
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    ds = _pick(tf, 7, bad).map(lambda row, place: row[place]).batch(3).ignore_errors()
    return ds.with_options(options)


@each(bad=[0, 1, 2, 3, 4, 6])
def case_ignore_errors_after_a_step_between_map_and_batch(tf, bad):
    ds = _pick(tf, 7, bad).map(lambda row, place: row[place])
    return ds.skip(0).prefetch(1).batch(3).ignore_errors()


@each(bad=[1, 3])
def case_ignore_errors_after_filter_and_batch(tf, bad):
    ds = _pick(tf, 7, bad).filter(lambda row, place: row[place] >= 0)
    return ds.map(lambda row, place: row).batch(3).ignore_errors()


@each(bad=[1, 3])
def case_ignore_errors_after_padded_batch(tf, bad):
    ds = _pick(tf, 7, bad).map(lambda row, place: row[place])
    return ds.padded_batch(3).ignore_errors()


@each(bad=[1, 3])
def case_ignore_errors_after_shuffle(tf, bad):
    ds = _pick(tf, 7, bad).map(lambda row, place: row[place])
    return ds.shuffle(3, seed=1).ignore_errors()


@each(bad=[1, 3])
def case_ignore_errors_after_interleave(tf, bad):
    ds = _pick(tf, 5, bad).map(lambda row, place: row[place])
    return ds.interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=2
    ).ignore_errors()


@each(bad=[1, 3])
def case_ignore_errors_after_zip(tf, bad):
    ds = _pick(tf, 5, bad).map(lambda row, place: row[place])
    return tf.data.Dataset.zip((ds, tf.data.Dataset.range(9))).ignore_errors()


@each(bad=[1, 3])
def case_ignore_errors_after_window(tf, bad):
    ds = _pick(tf, 7, bad).map(lambda row, place: row[place])
    return ds.window(2).flat_map(lambda w: w.batch(2)).ignore_errors()


def case_ignore_errors_in_the_filter(tf):
    return _pick(tf).filter(lambda row, place: row[place] >= 0).ignore_errors()


def case_ignore_errors_repeated(tf):
    return _pick(tf).map(lambda row, place: row[place]).ignore_errors().repeat(2)


def case_ignore_errors_cardinality(tf):
    return int(_pick(tf).ignore_errors().cardinality())


def case_ignore_errors_log_warning(tf):
    return _pick(tf).map(lambda row, place: row[place]).ignore_errors(log_warning=True)


def case_ignore_errors_unequal_batch(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1], [2], [3, 4], [5], [6], [7]]),
        output_signature=tf.TensorSpec((None,), np.int32),
    )
    return ds.batch(2).ignore_errors()


def case_ignore_errors_inside_flat_map(tf):
    def inner(k):
        return _pick(tf, 4).map(lambda row, place: row[place] + k).ignore_errors()

    return tf.data.Dataset.range(2).flat_map(inner)


def case_optional_from_iterator(tf):
    it = iter(tf.data.Dataset.range(1))
    first = it.get_next_as_optional()
    second = it.get_next_as_optional()
    return [bool(first.has_value()), first.get_value(), bool(second.has_value())]
