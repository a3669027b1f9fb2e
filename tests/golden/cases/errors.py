"""errors: what cannot be built or iterated over, beside the errors in the other groups."""

import numpy as np

from tests.golden.case import each, found_when_run, raises


def case_slices_of_a_scalar(tf):
    return tf.data.Dataset.from_tensor_slices(3)


def case_slices_of_unequal_lengths(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2], [1, 2, 3]))


def case_slices_of_unequal_lengths_in_a_dict(tf):
    return tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [1]})


def case_slices_of_nothing(tf):
    return tf.data.Dataset.from_tensor_slices({})


def case_slices_of_a_jagged_list(tf):
    return tf.data.Dataset.from_tensor_slices([[1, 2], [3]])


def case_slices_of_mixed_kinds(tf):
    return tf.data.Dataset.from_tensor_slices([1, "a"])


def case_range_no_arguments(tf):
    return tf.data.Dataset.range()


def case_range_four_arguments(tf):
    return tf.data.Dataset.range(1, 2, 3, 4)


def case_range_step_zero(tf):
    return tf.data.Dataset.range(0, 5, 0)


def case_range_float(tf):
    return tf.data.Dataset.range(2.5)


def case_range_string(tf):
    return tf.data.Dataset.range("5")


def case_take_a_string(tf):
    return tf.data.Dataset.range(5).take("3")


def case_take_a_float(tf):
    return tf.data.Dataset.range(5).take(1.5)


def case_skip_a_float(tf):
    return tf.data.Dataset.range(5).skip(1.5)


def case_repeat_a_float(tf):
    return tf.data.Dataset.range(5).repeat(1.5)


def case_shuffle_a_float(tf):
    return tf.data.Dataset.range(5).shuffle(1.5)


def case_prefetch_a_float(tf):
    return tf.data.Dataset.range(5).prefetch(1.5)


def case_window_a_float(tf):
    return tf.data.Dataset.range(5).window(1.5)


def case_enumerate_a_float(tf):
    return tf.data.Dataset.range(5).enumerate(1.5)


def case_filter_not_callable(tf):
    return tf.data.Dataset.range(5).filter(True)


def case_apply_not_a_dataset(tf):
    return tf.data.Dataset.range(5).apply(lambda ds: 3)


def case_reduce_changes_dtype(tf):
    return tf.data.Dataset.range(5).reduce(np.int64(0), lambda s, x: (s + x) / 2)


def case_reduce_changes_structure(tf):
    return tf.data.Dataset.range(5).reduce(np.int64(0), lambda s, x: (s, x))


@found_when_run
def case_scan_changes_dtype(tf):
    return tf.data.Dataset.range(5).scan(np.int64(0), lambda s, x: ((s + x) / 2, x))


@found_when_run
def case_scan_changes_structure(tf):
    return tf.data.Dataset.range(5).scan(np.int64(0), lambda s, x: ((s, x), x))


@found_when_run
def case_scan_returns_one_value(tf):
    return tf.data.Dataset.range(5).scan(np.int64(0), lambda s, x: s)


def case_from_list_empty(tf):
    return tf.data.experimental.from_list([])


def case_from_list_not_a_list(tf):
    return tf.data.experimental.from_list(3)


def case_from_list_unequal_structures(tf):
    return tf.data.experimental.from_list([(1, 2), 3])


def case_zip_both_ways(tf):
    a = tf.data.Dataset.range(2)
    return tf.data.Dataset.zip(a, datasets=(a, a))


@raises(KeyError)
@found_when_run
def case_missing_key(tf):
    return tf.data.Dataset.from_tensor_slices({"a": [1]}).map(lambda d: d["b"])


@raises(IndexError)
@each(where=[0, 3])
def case_error_after_some_elements(tf, where):
    places = np.zeros(5, np.int64)
    places[where] = 7
    ds = tf.data.Dataset.from_tensor_slices((np.arange(5)[:, None], places))
    return ds.map(lambda row, place: row[place])


@raises(IndexError)
def case_error_in_an_inner_dataset(tf):
    def inner(n):
        ds = tf.data.Dataset.from_tensor_slices((np.arange(3)[:, None], np.array([0, 0, 4])))
        return ds.map(lambda row, place: row[place] + n)

    return tf.data.Dataset.range(2).flat_map(inner)


@raises(IndexError)
def case_iteration_goes_on_after_an_error(tf):
    ds = tf.data.Dataset.from_tensor_slices((np.arange(4)[:, None], np.array([0, 9, 0, 0])))
    it = iter(ds.map(lambda row, place: row[place]))
    found = [int(next(it))]
    try:
        next(it)
    except Exception:
        found.append("error")
    return [*found, int(next(it)), int(next(it))]


def case_iterator_next_after_the_end(tf):
    it = iter(tf.data.Dataset.range(1))
    next(it)
    return [next(it, "end"), next(it, "end")]


def case_get_next_after_the_end(tf):
    it = iter(tf.data.Dataset.range(1))
    it.get_next()
    return it.get_next()


def case_skip_none(tf):
    return tf.data.Dataset.range(5).skip(None)


@each(value=[1, 0, "yes"])
def case_shuffle_reshuffle_is_no_flag(tf, value):
    return tf.data.Dataset.range(5).shuffle(3, reshuffle_each_iteration=value)


@each(value=[1, 0, "yes"])
def case_choose_stop_is_no_flag(tf, value):
    ds = tf.data.Dataset.range(5)
    return tf.data.Dataset.choose_from_datasets([ds, ds], ds.take(0), stop_on_empty_dataset=value)
