"""seeds: what follows from tf.random.set_seed, for pipelines and for draws outside of them.

Every case begins with a seed and ends without one, in the library that other cases use too.
"""

import os
import tempfile

import numpy as np

from tests.golden.case import each

SEEDS = [0, 1, -5, 2**31 - 1, 2**40 + 3]


def _after(tf, seed, make):
    tf.random.set_seed(seed)
    try:
        return make()
    finally:
        tf.random.set_seed(None)


def _passes(ds, count=3):
    return [[np.asarray(x) for x in ds] for _ in range(count)]


# ---- pipelines -----------------------------------------------------------------------


@each(seed=SEEDS, own=[None, 0, 3], buffer=[3, 20], reshuffle=[None, False])
def case_shuffle(tf, seed, own, buffer, reshuffle):
    def make():
        ds = tf.data.Dataset.range(6).shuffle(buffer, own, reshuffle_each_iteration=reshuffle)
        return _passes(ds)

    return _after(tf, seed, make)


def case_one_shuffle_after_the_other(tf):
    def make():
        first = tf.data.Dataset.range(6).shuffle(6)
        second = tf.data.Dataset.range(6).shuffle(4).map(lambda x: x * 2).shuffle(3)
        return [_passes(first), _passes(second), _passes(first)]

    return _after(tf, 5, make)


@each(reshuffle=[None, False])
def case_shuffle_then_repeat(tf, reshuffle):
    def make():
        ds = tf.data.Dataset.range(4).shuffle(4, reshuffle_each_iteration=reshuffle)
        return _passes(ds.repeat(3).batch(4))

    return _after(tf, 1, make)


def case_the_same_seed_again(tf):
    def make():
        passes = []
        for _ in range(2):
            tf.random.set_seed(7)
            passes += _passes(tf.data.Dataset.range(8).shuffle(8), 2)
        return passes

    return _after(tf, 7, make)


def case_an_order_drawn_before_a_seed_is_set(tf):
    def make():
        ds = tf.data.Dataset.range(6).shuffle(6)
        tf.random.set_seed(9)
        return _passes(ds)

    return _after(tf, 1, make)


@each(own=[None, 3], changes=[None, True])
def case_random(tf, own, changes):
    def make():
        ds = tf.data.Dataset.random(own, rerandomize_each_iteration=changes)
        return _passes(ds.take(4))

    return _after(tf, 1, make)


@each(own=[None, 3], changes=[None, True], weights=[None, [0.2, 0.8], [1.0, 0.0]])
def case_sample(tf, own, changes, weights):
    def make():
        parts = [tf.data.Dataset.range(4), tf.data.Dataset.range(10, 14)]
        ds = tf.data.Dataset.sample_from_datasets(
            parts, weights, own, rerandomize_each_iteration=changes
        )
        return [_passes(ds), _passes(tf.data.Dataset.range(6).shuffle(6))]

    return _after(tf, 1, make)


@each(own=[None, 3], initial=[None, [1 / 3, 1 / 3, 1 / 3]])
def case_rejection(tf, own, initial):
    def make():
        ds = tf.data.Dataset.range(40).map(lambda x: x % 3)
        ds = ds.rejection_resample(lambda x: x, [0.2, 0.3, 0.5], initial, own)
        passes = _passes(ds.map(lambda label, x: x), 2)
        return [passes, _passes(tf.data.Dataset.range(6).shuffle(6))]

    return _after(tf, 1, make)


@each(own=[None, 3])
def case_list_files(tf, own):
    def make():
        with tempfile.TemporaryDirectory() as folder:
            for number in range(7):
                open(os.path.join(folder, f"{number}.txt"), "w").close()
            ds = tf.data.Dataset.list_files(os.path.join(folder, "*.txt"), seed=own)
            passes = [[np.asarray(x).item() for x in ds] for _ in range(3)]
        return [[os.path.basename(os.fsdecode(path)) for path in found] for found in passes]

    return _after(tf, 1, make)


@each(own=[None, 2], method=["flat_map", "interleave"])
def case_shuffles_inside_a_function(tf, own, method):
    def make():
        def inner(x):
            return tf.data.Dataset.range(5).shuffle(5, own).shuffle(3, own)

        ds = tf.data.Dataset.range(3)
        return _passes(ds.flat_map(inner) if method == "flat_map" else ds.interleave(inner, 2), 2)

    return _after(tf, 1, make)


def case_a_function_takes_no_seed_from_the_program(tf):
    def make():
        tf.data.Dataset.range(3).map(lambda x: x + tf.random.uniform((), 0, 3, tf.int64))
        return tf.random.uniform((), 0, 1000, tf.int32)

    return _after(tf, 1, make)


# ---- draws outside of pipelines ------------------------------------------------------


@each(seed=[None, *SEEDS], dtype=["float16", "float32", "float64"])
def case_uniform(tf, seed, dtype):
    def make():
        wanted = getattr(tf, dtype)
        own = [tf.random.uniform((n,), -1, 4, wanted, seed=5) for n in (2, 3, 0, 5)]
        return own if seed is None else [*own, *(tf.random.uniform((2, 2)) for _ in range(3))]

    return _after(tf, seed, make)


@each(seed=[None, 3], dtype=["int32", "int64"])
def case_uniform_integers(tf, seed, dtype):
    def make():
        return [tf.random.uniform((3,), -4, 99, getattr(tf, dtype), seed=5) for _ in range(3)]

    return _after(tf, seed, make)


@each(kind=["normal", "truncated_normal"], dtype=["float32", "float64"])
def case_normal(tf, kind, dtype):
    def make():
        draw = getattr(tf.random, kind)
        drawn = [draw((3,), 1.0, 2.0, getattr(tf, dtype), seed=own) for own in (5, 5, None, None)]
        return [np.asarray(numbers).astype(np.float64).round(4) for numbers in drawn]

    return _after(tf, 3, make)


@each(size=[0, 1, 2, 5, 6, 9], own=[None, 4])
def case_shuffled(tf, size, own):
    def make():
        rows = np.arange(2 * size).reshape(size, 2)
        return [tf.random.shuffle(rows, seed=own) for _ in range(3)]

    return _after(tf, 3, make)


def case_kernels_of_other_dtypes_draw_by_themselves(tf):
    def make():
        made = []
        for _ in range(2):
            made.append(tf.random.uniform((2,), seed=5))
            made.append(tf.random.uniform((2,), dtype=tf.float64, seed=5))
            made.append(tf.random.shuffle(np.arange(5), seed=5))
            made.append(tf.random.shuffle(np.arange(5, dtype=np.int32), seed=5))
        return made

    return _after(tf, 3, make)


@each(count=[1, 4, 5], dtype=["int32", "int64"])
def case_categorical(tf, count, dtype):
    def make():
        logits = np.array([[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]], np.float32)
        return [tf.random.categorical(logits, count, dtype, seed=own) for own in (5, 5, None)]

    return _after(tf, 3, make)


def case_gamma(tf):
    def make():
        plain = [tf.random.gamma([3], [0.5, 2.0], seed=own) for own in (5, 5, None)]
        return [
            *(np.asarray(numbers).round(5) for numbers in plain),
            np.asarray(tf.random.gamma([3], [0.5, 2.0], [[3.0], [4.0]], seed=6)).round(5),
            np.asarray(tf.random.gamma([], 2.5, dtype=tf.float64)).round(5),
        ]

    return _after(tf, 3, make)


@each(dtype=["float32", "float64", "int32", "int64"])
def case_poisson(tf, dtype):
    def make():
        rates = [0.0, 0.5, 2.0, 9.9, 10.0, 30.0, 1000.0]
        wanted = getattr(tf, dtype)
        return [tf.random.poisson([4], rates, wanted, seed=own) for own in (5, 5, None)]

    return _after(tf, 3, make)


# ---- counts --------------------------------------------------------------------------


@each(seed=[(1, 2), (-5, 2147483647)], dtype=["float16", "float32", "int32", "int64"])
def case_stateless_poisson(tf, seed, dtype):
    wanted = getattr(tf, dtype)
    rates = [0.5, 2.0, 30.0]
    return [
        tf.random.stateless_poisson([20, 3], seed, rates, wanted),
        tf.random.stateless_poisson([7], seed, 12.5, wanted),
    ]


def in_all(made):
    """How often each number occurs, and a number that tells their order."""
    numbers = made.numpy()
    return np.unique(numbers, return_counts=True)[1], (numbers * np.arange(len(numbers))).sum()


@each(counts=[25.0, 60.0, 1000.0], probs=[0.4, 0.7])
def case_many_binomials(tf, counts, probs):
    return in_all(tf.random.stateless_binomial([20_000], [3, 4], counts, probs, tf.int64))


@each(rate=[0.5, 9.5, 11.0, 40.0, 3000.0])
def case_many_poissons(tf, rate):
    return in_all(tf.random.stateless_poisson([20_000], [3, 4], rate, tf.int64))


@each(seed=[(1, 2), (-5, 2147483647)], dtype=["float32", "int32", "int64"])
def case_stateless_binomial(tf, seed, dtype):
    wanted = getattr(tf, dtype)
    counts, probs = [5.0, 20.0, 300.0, 8.0, 60.0], [0.5, 0.2, 0.9, 0.99, 0.4]
    return [
        tf.random.stateless_binomial([20, 5], seed, counts, probs, wanted),
        tf.random.stateless_binomial([7], seed, 50.0, 0.1, wanted),
        tf.random.stateless_binomial([7, 3], seed, 10.0, [0.0, 1.0, 0.5], wanted),
    ]
