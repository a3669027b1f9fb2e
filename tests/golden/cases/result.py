"""result: values computed from a whole dataset: reduce, get_single_element, options."""

import warnings

import numpy as np

from tests.golden.case import each, raises


def case_reduce_sum(tf):
    return tf.data.Dataset.range(5).reduce(np.int64(0), lambda s, x: s + x)


def case_reduce_empty(tf):
    return tf.data.Dataset.range(0).reduce(np.int64(7), lambda s, x: s + x)


def case_reduce_python_initial_state(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([1, 2, 3], np.int32))
    return ds.reduce(0, lambda s, x: s + x)


def case_reduce_float(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([0.5, 1.5], np.float32))
    return ds.reduce(0.0, lambda s, x: s + x)


def case_reduce_structure(tf):
    return tf.data.Dataset.range(5).reduce(
        (np.int64(0), np.int64(1)), lambda s, x: (s[0] + x, s[1] * (x + 1))
    )


def case_reduce_dict_state(tf):
    return tf.data.Dataset.range(4).reduce(
        {"n": np.int64(0), "total": np.int64(0)},
        lambda s, x: {"n": s["n"] + 1, "total": s["total"] + x},
    )


def case_reduce_tuple_elements(tf):
    ds = tf.data.Dataset.from_tensor_slices((np.arange(3), np.arange(3) * 10))
    return ds.reduce(np.int64(0), lambda s, pair: s + pair[0] * pair[1])


def case_reduce_array_state(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(6.0).reshape(3, 2))
    return ds.reduce(np.zeros(2), lambda s, x: s + x)


def case_reduce_bytes(tf):
    ds = tf.data.Dataset.from_tensor_slices([b"a", b"b", b"c"])
    return ds.reduce(b"", lambda s, x: s + x)


def case_reduce_counts(tf):
    return tf.data.Dataset.range(7).batch(2).reduce(np.int64(0), lambda n, _: n + 1)


def case_get_single_element(tf):
    return tf.data.Dataset.from_tensors([1, 2]).get_single_element()


def case_get_single_element_structure(tf):
    return tf.data.Dataset.from_tensors({"a": 1, "b": ("x", 2.0)}).get_single_element()


def case_get_single_element_of_a_batch(tf):
    return tf.data.Dataset.range(5).batch(5).get_single_element()


def case_get_single_element_of_none(tf):
    return tf.data.Dataset.range(0).get_single_element()


def case_get_single_element_of_two(tf):
    return tf.data.Dataset.range(2).get_single_element()


@each(index=[0, 2, 4])
def case_at(tf, index):
    return tf.data.experimental.at(tf.data.Dataset.range(10, 15), index)


def case_at_slices(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": ["x", "y"]})
    return tf.data.experimental.at(ds, 1)


def case_at_map(tf):
    return tf.data.experimental.at(tf.data.Dataset.range(10).map(lambda x: x * x), 3)


def case_at_take_skip(tf):
    return tf.data.experimental.at(tf.data.Dataset.range(10).skip(2).take(5), 3)


@each(index=[5, -1])
@raises(IndexError)
def case_at_out_of_range(tf, index):
    return tf.data.experimental.at(tf.data.Dataset.range(5), index)


def case_at_shuffled(tf):
    ds = tf.data.Dataset.range(5).shuffle(5, seed=1, reshuffle_each_iteration=False)
    return sorted(int(tf.data.experimental.at(ds, i)) for i in range(5))


def case_options_default(tf):
    options = tf.data.Dataset.range(3).options()
    return [
        options.deterministic,
        options.autotune.enabled,
        options.threading.private_threadpool_size,
    ]


def case_options_set(tf):
    options = tf.data.Options()
    options.deterministic = False
    options.autotune.enabled = True
    options.threading.private_threadpool_size = 3
    found = tf.data.Dataset.range(3).with_options(options).batch(2).options()
    return [found.deterministic, found.autotune.enabled, found.threading.private_threadpool_size]


def _options(tf, **values):
    options = tf.data.Options()
    for name, value in values.items():
        setattr(options, name, value)
    return options


def case_options_elements_do_not_change(tf):
    return tf.data.Dataset.range(3).with_options(_options(tf, deterministic=False))


# TensorFlow logs that a setting was changed, Feedline warns: the later one counts in both.
def _caught(fn):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fn()


def case_options_conflict(tf):
    ds = tf.data.Dataset.range(3).with_options(_options(tf, deterministic=False))
    other = _options(tf, deterministic=True)
    return _caught(lambda: ds.with_options(other).options().deterministic)


def case_options_conflict_in_a_group(tf):
    first, second = tf.data.Options(), tf.data.Options()
    first.threading.private_threadpool_size = 2
    second.threading.private_threadpool_size = 3
    ds = tf.data.Dataset.range(3).with_options(first)
    return _caught(lambda: ds.with_options(second).options().threading.private_threadpool_size)


def case_options_agree(tf):
    ds = tf.data.Dataset.range(3).with_options(_options(tf, deterministic=False))
    return ds.with_options(_options(tf, deterministic=False)).options().deterministic


def case_options_of_two_chains_merge(tf):
    a = tf.data.Dataset.range(3).with_options(_options(tf, deterministic=False))
    b = tf.data.Dataset.range(3).with_options(_options(tf, experimental_slack=True))
    found = tf.data.Dataset.zip((a, b)).options()
    return [found.deterministic, found.experimental_slack]


def case_options_of_two_chains_conflict(tf):
    a = tf.data.Dataset.range(3).with_options(_options(tf, deterministic=False))
    b = tf.data.Dataset.range(3).with_options(_options(tf, deterministic=True))
    return _caught(lambda: tf.data.Dataset.zip((a, b)).options().deterministic)


def case_options_merge_later_wins(tf):
    first, second = _options(tf, deterministic=False), _options(tf, deterministic=True)
    return _caught(lambda: first.merge(second).deterministic)


def case_options_merge(tf):
    merged = _options(tf, deterministic=False).merge(_options(tf, experimental_slack=True))
    return [merged.deterministic, merged.experimental_slack]


def case_options_equal(tf):
    return _options(tf, deterministic=False) == _options(tf, deterministic=False)


@raises(AttributeError)
def case_options_unknown_name(tf):
    return _options(tf, determinstic=True)


def case_options_wrong_type(tf):
    return _options(tf, deterministic="yes")


def case_with_options_not_options(tf):
    return tf.data.Dataset.range(3).with_options({"deterministic": True})


def case_constants(tf):
    return [tf.data.AUTOTUNE, tf.data.INFINITE_CARDINALITY, tf.data.UNKNOWN_CARDINALITY]


@raises(TypeError)
def case_len_of_infinite(tf):
    return len(tf.data.Dataset.range(3).repeat())


@raises(TypeError)
def case_len_of_unknown(tf):
    return len(tf.data.Dataset.range(3).filter(lambda x: x > 1))


def case_iterator_get_next(tf):
    it = iter(tf.data.Dataset.range(2))
    return [it.get_next(), it.get_next()]


def case_iterator_is_independent(tf):
    ds = tf.data.Dataset.range(3)
    first, second = iter(ds), iter(ds)
    return [next(first), next(first), next(second)]


def case_fingerprint_of_equal_pipelines(tf):
    def build(n):
        return tf.data.Dataset.range(n).batch(2)

    return [
        bool(build(5).fingerprint() == build(5).fingerprint()),
        bool(build(5).fingerprint() == build(6).fingerprint()),
    ]


def case_enums(tf):
    policy = tf.data.experimental.AutoShardPolicy
    return [policy[name].value for name in ("OFF", "AUTO", "FILE", "DATA", "HINT")]


def case_shard_hint(tf):
    return tf.data.experimental.SHARD_HINT
