"""Draws with a seed: TensorFlow's (tests/golden has its numbers), on whole blocks too."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError
from feedline.random.stateless import stateless_shuffle

SEED = (1, 2)
CALLS = {
    "uniform": lambda x: tf.random.stateless_uniform((3,), (x, 5)),
    "uniform, a number": lambda x: tf.random.stateless_uniform((), (x, 5)),
    "uniform, bounds": lambda x: tf.random.stateless_uniform((2,), SEED, x * 1.0, x + 2.0),
    "uniform, integers": lambda x: tf.random.stateless_uniform((2,), (5, x), 0, x + 1, tf.int64),
    "uniform, all": lambda x: tf.random.stateless_uniform((), (5, x), None, None, tf.uint64),
    "normal": lambda x: tf.random.stateless_normal((3,), np.stack([x, x]), x * 1.0),
    "normal, doubles": lambda x: tf.random.stateless_normal((), (x, x), dtype=tf.float64),
    "truncated": lambda x: tf.random.stateless_truncated_normal((6, 2), (5, x)),
    "gamma": lambda x: tf.random.stateless_gamma((3, 2), (5, x), [0.3, 2.0]),
    "gamma, alphas": lambda x: tf.random.stateless_gamma((3,), (5, x), x * 0.5 + 0.25, x + 1.0),
    "split": lambda x: tf.random.split((x, 5), 3),
    "fold in": lambda x: tf.random.fold_in(SEED, x),
    "folded": lambda x: tf.random.stateless_uniform((), tf.random.fold_in(SEED, x)),
    "categorical": lambda x: tf.random.stateless_categorical([[0.1, 0.2, 0.3]], 4, (x, 5)),
    "logits": lambda x: tf.random.stateless_categorical(
        np.stack([x * 0.1, x * 0.2])[None], 4, SEED
    ),
    "shuffle": lambda x: stateless_shuffle([1, 2, 3, 4], (x, 5)),
    "shuffle, values": lambda x: stateless_shuffle(np.stack([x, x + 1, x + 2]), SEED),
}
EVERY_CALL = pytest.mark.parametrize("fn", CALLS.values(), ids=CALLS)


@EVERY_CALL
def test_a_map_that_draws_with_a_seed_runs_on_whole_blocks(fn):
    ds = tf.data.Dataset.range(40).map(fn)

    made = [np.asarray(value) for value in ds]

    alone = [np.asarray(fn(np.int64(x))) for x in range(40)]
    assert [value.dtype for value in made] == [value.dtype for value in alone]
    assert np.array_equal(made, alone)
    assert "vectorised" in str(ds.explain())


@EVERY_CALL
def test_other_seeds_give_other_numbers(fn):
    assert len({np.asarray(fn(np.int64(x))).tobytes() for x in range(1, 30)}) > 1


def test_a_seed_may_be_an_array_a_list_or_a_tuple_of_any_integers():
    wanted = tf.random.stateless_uniform((3,), SEED).tolist()

    for seed in ([1, 2], np.array([1, 2]), np.array([1, 2], np.uint8), (np.int32(1), 2)):
        assert tf.random.stateless_uniform((3,), seed).tolist() == wanted


def test_a_number_is_a_numpy_scalar():
    assert isinstance(tf.random.stateless_uniform((), SEED), np.float32)


@pytest.mark.parametrize("alg", ["philox", "auto_select", "AUTO-SELECT", 1, 3])
def test_there_is_one_algorithm(alg):
    made = tf.random.stateless_uniform((3,), SEED, alg=alg)

    assert made.tolist() == tf.random.stateless_uniform((3,), SEED).tolist()


@pytest.mark.parametrize("alg", ["threefry", "mersenne", 2, None])
def test_another_algorithm_is_refused(alg):
    with pytest.raises(BuildError, match=r'alg must be "philox" or "auto_select", got'):
        tf.random.stateless_normal((3,), SEED, alg=alg)


@pytest.mark.parametrize(
    ("seed", "text"),
    [
        ((1, 2, 3), r"seed must have the shape \[2\], got \[3\]"),
        (5, r"seed must have the shape \[2\], got \[\]"),
        ([[1, 2]], r"seed must have the shape \[2\], got \[1, 2\]"),
        ((1.0, 2.0), "seed must be two integers, got float32"),
        ((True, False), "seed must be two integers, got bool"),
    ],
)
def test_a_seed_is_two_integers(seed, text):
    with pytest.raises(BuildError, match=r"^random\.stateless_uniform\(\): " + text):
        tf.random.stateless_uniform((3,), seed)


@pytest.mark.parametrize("shape", [5, None, (2.5,), "ab"])
def test_a_shape_is_a_list_of_lengths(shape):
    with pytest.raises(BuildTypeError, match="shape must be a list of lengths, got"):
        tf.random.stateless_uniform(shape, SEED)


def test_a_length_is_at_least_0():
    with pytest.raises(BuildError, match=r"lengths of at least 0, got \[2, -1\]"):
        tf.random.stateless_uniform((2, -1), SEED)


def test_the_message_names_the_call():
    with pytest.raises(BuildError, match=r"^random\.stateless_uniform\(\): minval and maxval must"):
        tf.random.stateless_uniform((3,), SEED, dtype=tf.int32)


def test_seeds_keep_their_dtype():
    assert tf.random.split(SEED).dtype == np.int32
    assert tf.random.split((1, 2**40)).dtype == np.int64
    assert tf.random.split((np.int64(1), 2)).dtype == np.int64
    assert tf.random.split((1, np.int32(2))).dtype == np.int32
    assert tf.random.fold_in(SEED, np.int64(3)).dtype == np.int64


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tf.random.split(np.array([1, 2], np.int8)), "must be int32 or int64, got int8"),
        (lambda: tf.random.split(SEED, -1), "num must be at least 0, got -1"),
        (lambda: tf.random.fold_in(SEED, [1, 2]), r"data must be a single number, got shape \[2\]"),
        (lambda: tf.random.fold_in(SEED, 0.5), "must be int32 or int64, got float32"),
        (lambda: stateless_shuffle(3, SEED), "value must have a first axis to shuffle"),
        (lambda: tf.random.stateless_categorical([[1.0]], 1.5, SEED), "num_samples must be an int"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, text):
    with pytest.raises(BuildError, match=r"^random\..*\(\): .*" + text):
        call()


def test_a_shuffle_keeps_what_it_is_given():
    value = np.arange(12).reshape(6, 2)

    made = stateless_shuffle(value, SEED)

    assert sorted(made.tolist()) == value.tolist()
    assert np.array_equal(value, np.arange(12).reshape(6, 2))
