"""random: draws with a seed, and Generator. Normal floats are compared to five digits."""

import numpy as np

from tests.golden.case import each

SHAPES = [(), (0,), (1,), (7,), (2, 3)]
SEEDS = [(1, 2), (-5, 2147483647), (1099511627776, -3)]
FLOATS = ["float16", "float32", "float64"]


@each(shape=SHAPES, seed=SEEDS, dtype=FLOATS)
def case_uniform_floats(tf, shape, seed, dtype):
    unit = tf.random.stateless_uniform(shape, seed, dtype=getattr(tf, dtype))
    return [unit, tf.random.stateless_uniform(shape, seed, -3, 5.5, getattr(tf, dtype))]


@each(shape=SHAPES, seed=SEEDS, dtype=["int32", "int64"])
def case_uniform_integers(tf, shape, seed, dtype):
    wanted = getattr(tf, dtype)
    return [
        tf.random.stateless_uniform(shape, seed, 0, 10, wanted),
        tf.random.stateless_uniform(shape, seed, -7, -3, wanted),
        tf.random.stateless_uniform(shape, seed, -(2**31), 2**31 - 1, wanted),
    ]


@each(seed=SEEDS, dtype=["int32", "int64", "uint32", "uint64"])
def case_all_integers(tf, seed, dtype):
    return tf.random.stateless_uniform((5,), seed, None, None, getattr(tf, dtype))


def case_bounds_broadcast(tf):
    return tf.random.stateless_uniform((2, 3), (1, 2), [0.0, 1.0, 2.0], 5.0)


def case_bounds_give_more_axes(tf):
    return tf.random.stateless_uniform((2,), (1, 2), [[0.0, 1.0]], 5.0)


@each(shape=[*SHAPES, (30,)], seed=SEEDS, dtype=FLOATS, kind=["normal", "truncated_normal"])
def case_normal(tf, shape, seed, dtype, kind):
    draw = getattr(tf.random, f"stateless_{kind}")
    made = draw(shape, seed, dtype=getattr(tf, dtype))
    return np.asarray(made).astype(np.float64).round(5 if dtype != "float16" else 9)


def case_normal_with_parameters(tf):
    return np.asarray(tf.random.stateless_normal((2, 2), (1, 2), [5.0, 6.0], 2.0)).round(4)


@each(seed=SEEDS, alpha=[0.2, 1.0, 1.5, 50.0], dtype=["float16", "float32"])
def case_gamma(tf, seed, alpha, dtype):
    return tf.random.stateless_gamma((12,), seed, alpha, dtype=getattr(tf, dtype))


def case_gamma_with_parameters_side_by_side(tf):
    return tf.random.stateless_gamma((4, 2, 3), (1, 2), [[0.5], [3.0]], [1.0, 2.0, 3.0])


@each(seed=SEEDS, num_samples=[0, 1, 5], dtype=["int32", "int64"])
def case_categorical(tf, seed, num_samples, dtype):
    logits = [[0.0, 0.0, 0.0], [1.0, -1.0, -np.inf], [np.nan, 3.0, 2.0]]
    return tf.random.stateless_categorical(logits, num_samples, seed, getattr(tf, dtype))


@each(seed=SEEDS, num=[0, 1, 3])
def case_split(tf, seed, num):
    return tf.random.split(seed, num)


@each(seed=SEEDS, data=[0, 3, -3, 2**40])
def case_fold_in(tf, seed, data):
    return tf.random.fold_in(seed, data)


@each(seed=SEEDS, size=[0, 1, 2, 9])
def case_shuffle(tf, seed, size):
    value = np.arange(2 * size).reshape(size, 2)
    return tf.random.experimental.stateless_shuffle(value, seed)


def case_names_in_experimental(tf):
    seeds = tf.random.experimental.stateless_split([1, 2], 2)
    return [seeds, tf.random.experimental.stateless_fold_in([1, 2], 3)]


# ---- in a dataset ------------------------------------------------------------------------


def case_map_uniform(tf):
    draw = tf.random.stateless_uniform
    return tf.data.Dataset.range(20).map(lambda x: draw((2,), (x, 5)))


def case_map_integers(tf):
    draw = tf.random.stateless_uniform
    return tf.data.Dataset.range(20).map(lambda x: draw((), (5, x), 0, x + 1, tf.int64))


def case_map_folded_seed(tf):
    random = tf.random
    return tf.data.Dataset.range(20).map(
        lambda x: random.stateless_uniform((), random.fold_in((1, 2), x), -1, 1, tf.float64)
    )


def case_map_shuffle(tf):
    shuffle = tf.random.experimental.stateless_shuffle
    return tf.data.Dataset.range(20).map(lambda x: shuffle([10, 20, 30, 40], (x, 5)))


# ---- Generator ---------------------------------------------------------------------------


@each(seed=[1234, 2**70 + 5, -1, [7, 8], [7, 8, 9, 10]])
def case_generator(tf, seed):
    generator = tf.random.Generator.from_seed(seed)
    return [
        np.asarray(generator.state),
        generator.uniform((3,)),
        generator.uniform((5,), 0, 7, tf.int32),
        generator.uniform((2, 2), None, None, tf.uint64),
        generator.normal((5,), dtype=tf.float16),
        generator.truncated_normal((9,), dtype=tf.float16),
        generator.make_seeds(2),
        generator.uniform_full_int((3,)),
        [np.asarray(one.state) for one in generator.split(2)],
        generator.skip(5),
        generator.key,
        np.asarray(generator.state),
    ]


@each(state=[(-1, 3, 4), (-2, -1, 4)], alg=["philox", "auto_select"])
def case_generator_from_state(tf, state, alg):
    generator = tf.random.Generator.from_state(state, alg)
    return [generator.uniform((9,)), np.asarray(generator.state), generator.algorithm]


# ---- mistakes ----------------------------------------------------------------------------


def case_integers_without_maxval(tf):
    return tf.random.stateless_uniform((3,), (1, 2), dtype=tf.int32)


def case_empty_range(tf):
    return tf.random.stateless_uniform((3,), (1, 2), 5, 5, tf.int32)


def case_bound_of_another_kind(tf):
    return tf.random.stateless_uniform((3,), (1, 2), 0.5, 3, tf.int32)


@each(dtype=["int8", "uint32"])
def case_integers_of_another_dtype(tf, dtype):
    return tf.random.stateless_uniform((3,), (1, 2), 0, 5, getattr(tf, dtype))


@each(seed=[(1, 2, 3), (1.0, 2.0), 5])
def case_bad_seed(tf, seed):
    return tf.random.stateless_uniform((3,), seed)


@each(shape=[5, (-1,)])
def case_bad_shape(tf, shape):
    return tf.random.stateless_uniform(shape, (1, 2))


@each(alg=["threefry", "mersenne"])
def case_bad_algorithm(tf, alg):
    return tf.random.stateless_uniform((3,), (1, 2), alg=alg)


@each(logits=[[1.0, 2.0], [[]]])
def case_bad_logits(tf, logits):
    return tf.random.stateless_categorical(logits, 3, (1, 2))


def case_bad_state(tf):
    return tf.random.Generator.from_state([1, 2], "philox")
