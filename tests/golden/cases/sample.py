"""sample: sample_from_datasets, choose_from_datasets, rejection_resample."""

import numpy as np

from tests.golden.case import each, may_accept


def _three(tf):
    return [tf.data.Dataset.range(k * 100, k * 100 + 8) for k in range(3)]


@each(seed=[0, 1, 42, 2**40], stop=[False, True])
def case_sample(tf, seed, stop):
    return tf.data.Dataset.sample_from_datasets(_three(tf), seed=seed, stop_on_empty_dataset=stop)


@each(
    weights=[(0.5, 0.25, 0.25), (0.1, 0.1, 0.8), (1.0, 2.0, 3.0), (0.0, 0.5, 0.5), (1.0, 0.0, 0.0)],
    stop=[False, True],
)
def case_sample_weights(tf, weights, stop):
    return tf.data.Dataset.sample_from_datasets(
        _three(tf), weights=list(weights), seed=5, stop_on_empty_dataset=stop
    )


def case_sample_numpy_float64_weights(tf):
    return tf.data.Dataset.sample_from_datasets(_three(tf), np.array([0.2, 0.3, 0.5]), seed=5)


def case_sample_all_weights_zero(tf):
    return tf.data.Dataset.sample_from_datasets(_three(tf), [0.0, 0.0, 0.0], seed=5)


def case_sample_weights_dataset(tf):
    weights = tf.data.Dataset.from_tensor_slices(
        np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], np.float32)
    ).repeat()
    return tf.data.Dataset.sample_from_datasets(_three(tf), weights, seed=5)


def case_sample_weights_dataset_that_changes(tf):
    weights = tf.data.Dataset.from_tensor_slices(
        np.array([[0.5, 0.25, 0.25]] * 6 + [[0.1, 0.1, 0.8]] * 6, np.float32)
    )
    return tf.data.Dataset.sample_from_datasets(_three(tf), weights, seed=5)


def case_sample_one_dataset(tf):
    return tf.data.Dataset.sample_from_datasets([tf.data.Dataset.range(3)], [1.0], seed=1)


@each(rerandomize=[None, False, True])
def case_sample_two_iterations(tf, rerandomize):
    ds = tf.data.Dataset.sample_from_datasets(
        _three(tf)[:2], seed=5, rerandomize_each_iteration=rerandomize
    )
    return [list(ds), list(ds)]


@each(rerandomize=[None, False, True])
def case_sample_repeated(tf, rerandomize):
    ds = tf.data.Dataset.sample_from_datasets(
        [tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)],
        seed=5,
        rerandomize_each_iteration=rerandomize,
    )
    return ds.repeat(2)


@each(stop=[False, True])
def case_sample_with_an_empty_one(tf, stop):
    return tf.data.Dataset.sample_from_datasets(
        [tf.data.Dataset.range(0), tf.data.Dataset.range(4)], seed=2, stop_on_empty_dataset=stop
    )


def case_sample_repeated_inputs(tf):
    inputs = [tf.data.Dataset.range(2).repeat(), tf.data.Dataset.range(10, 13).repeat()]
    return tf.data.Dataset.sample_from_datasets(inputs, [0.3, 0.7], seed=2).take(20)


def case_sample_structures(tf):
    inputs = [
        tf.data.Dataset.from_tensor_slices({"a": [1, 2], "s": ["x", "y"]}),
        tf.data.Dataset.from_tensor_slices({"a": [3, 4], "s": ["z", "w"]}),
    ]
    return tf.data.Dataset.sample_from_datasets(inputs, seed=2)


def case_sample_shapes_are_merged(tf):
    inputs = [
        tf.data.Dataset.from_tensor_slices([[1, 2]]),
        tf.data.Dataset.from_tensor_slices([[3, 4, 5]]),
    ]
    return tf.data.Dataset.sample_from_datasets(inputs, seed=2)


def case_sample_cardinality_infinite(tf):
    inputs = [tf.data.Dataset.range(2).repeat(), tf.data.Dataset.range(3)]
    return int(tf.data.Dataset.sample_from_datasets(inputs, seed=1).cardinality())


def case_sample_wrong_number_of_weights(tf):
    return tf.data.Dataset.sample_from_datasets(_three(tf), [0.5, 0.5])


def case_sample_no_datasets(tf):
    return tf.data.Dataset.sample_from_datasets([])


def case_sample_incompatible(tf):
    return tf.data.Dataset.sample_from_datasets(
        [tf.data.Dataset.range(2), tf.data.Dataset.from_tensor_slices([b"a"])], seed=1
    )


# Whole numbers are weights too.
@may_accept
def case_sample_integer_weights(tf):
    return tf.data.Dataset.sample_from_datasets(_three(tf), [1, 2, 3], seed=1)


CHOICES = {
    "in_turn": [0, 1, 2, 0, 1, 2],
    "mostly_first": [0, 0, 0, 0, 0, 0, 1, 2, 0],
    "short": [2],
    "none": [],
}


@each(choices=list(CHOICES), stop=[False, True])
def case_choose(tf, choices, stop):
    inputs = [tf.data.Dataset.range(k * 10, k * 10 + 3) for k in range(3)]
    choice = tf.data.Dataset.from_tensor_slices(np.array(CHOICES[choices], np.int64))
    return tf.data.Dataset.choose_from_datasets(inputs, choice, stop_on_empty_dataset=stop)


def case_choose_default_stops(tf):
    inputs = [tf.data.Dataset.range(2), tf.data.Dataset.range(10, 20)]
    return tf.data.Dataset.choose_from_datasets(inputs, tf.data.Dataset.range(2).repeat())


@each(stop=[False, True])
def case_choose_infinite_choices(tf, stop):
    inputs = [tf.data.Dataset.range(2), tf.data.Dataset.range(10, 14)]
    return tf.data.Dataset.choose_from_datasets(
        inputs, tf.data.Dataset.range(2).repeat(), stop_on_empty_dataset=stop
    )


@each(stop=[False, True])
def case_choose_with_an_empty_one(tf, stop):
    inputs = [tf.data.Dataset.range(0), tf.data.Dataset.range(3)]
    return tf.data.Dataset.choose_from_datasets(
        inputs, tf.data.Dataset.range(2).repeat(3), stop_on_empty_dataset=stop
    )


def case_choose_strings(tf):
    inputs = [tf.data.Dataset.from_tensors(word).repeat() for word in ("foo", "bar", "baz")]
    return tf.data.Dataset.choose_from_datasets(inputs, tf.data.Dataset.range(3).repeat(2))


def case_choose_infinite_cardinality(tf):
    inputs = [tf.data.Dataset.range(2).repeat(), tf.data.Dataset.range(10, 14).repeat()]
    choice = tf.data.Dataset.range(2).repeat()
    return int(tf.data.Dataset.choose_from_datasets(inputs, choice).cardinality())


def case_choose_out_of_range(tf):
    choice = tf.data.Dataset.from_tensor_slices(np.array([0, 5], np.int64))
    return tf.data.Dataset.choose_from_datasets([tf.data.Dataset.range(3)] * 2, choice)


def case_choose_not_integers(tf):
    choice = tf.data.Dataset.from_tensor_slices(np.array([0.0, 1.0]))
    return tf.data.Dataset.choose_from_datasets([tf.data.Dataset.range(3)] * 2, choice)


# Any integer type says which dataset to choose.
@may_accept
def case_choose_not_int64(tf):
    choice = tf.data.Dataset.from_tensor_slices(np.array([0, 1], np.int32))
    return tf.data.Dataset.choose_from_datasets([tf.data.Dataset.range(3)] * 2, choice)


def case_choose_no_datasets(tf):
    return tf.data.Dataset.choose_from_datasets([], tf.data.Dataset.range(2))


def case_rejection_resample_yields_class_and_element(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([0, 1] * 50, np.int32))
    resampled = ds.rejection_resample(
        lambda x: x, target_dist=[0.5, 0.5], initial_dist=[0.5, 0.5], seed=1
    )
    return all(int(label) == int(x) for label, x in resampled)


def case_rejection_resample_keeps_only_one_class(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([0, 1] * 50, np.int32))
    resampled = ds.rejection_resample(
        lambda x: x, target_dist=[0.0, 1.0], initial_dist=[0.5, 0.5], seed=1
    )
    return sorted({int(label) for label, _ in resampled})


def case_rejection_resample_same_distribution_keeps_all(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([0, 1] * 10, np.int32))
    return ds.rejection_resample(
        lambda x: x, target_dist=[0.5, 0.5], initial_dist=[0.5, 0.5], seed=1
    )


@each(seed=[1, 2])
def case_rejection_resample_of_a_shuffle(tf, seed):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(20, dtype=np.int32)).shuffle(20, seed=seed)
    ds = ds.rejection_resample(lambda x: x % 2, [0.2, 0.8], [0.5, 0.5], seed=seed)
    return [[(label, x) for label, x in ds] for _ in range(2)]
