"""Counts are compared to TensorFlow's in tests/golden/cases/seeds.py."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError


@pytest.mark.parametrize("rate", [0.5, 9.5, 40.0])
def test_poisson_numbers_have_the_mean_and_the_variance_of_their_rate(rate):
    drawn = np.asarray(tf.random.stateless_poisson((4000,), (1, 2), rate, tf.float64))

    assert abs(drawn.mean() - rate) < 6 * (rate / 4000) ** 0.5
    assert abs(drawn.var() / rate - 1) < 0.2


@pytest.mark.parametrize(("count", "prob"), [(10.0, 0.3), (100.0, 0.5), (40.0, 0.95)])
def test_binomial_numbers_have_their_mean_and_variance(count, prob):
    drawn = np.asarray(tf.random.stateless_binomial((4000,), (1, 2), count, prob, tf.float64))
    variance = count * prob * (1 - prob)

    assert abs(drawn.mean() - count * prob) < 6 * (variance / 4000) ** 0.5
    assert abs(drawn.var() / variance - 1) < 0.2
    assert drawn.max() <= count


def test_counts_in_a_function_are_the_same_for_blocks_and_single_elements():
    def counts(x):
        rate = tf.cast(x, tf.float32)
        seed = [x, x + 1]
        return (
            tf.random.poisson((2,), rate),
            tf.random.gamma((2,), rate + 1),
            tf.random.stateless_poisson((2,), seed, rate),
            tf.random.stateless_binomial((2,), seed, rate, 0.5),
        )

    def found(**settings):
        ds = tf.data.Dataset.range(30).map(counts, **settings)
        ds = ds.with_options(tf.data.Options(seed=3))
        return [[np.asarray(part).tolist() for part in element] for element in ds]

    assert found() == found(vectorize=False)


def test_what_cannot_be_is_refused():
    with pytest.raises(BuildError, match="shape must end with the shape of its parameters"):
        tf.random.stateless_poisson((2,), (1, 2), [1.0, 2.0, 3.0])
    with pytest.raises(BuildError, match="lam must be at least 0"):
        tf.random.poisson((2,), -1.0)
    with pytest.raises(BuildTypeError, match="dtype must be"):
        tf.random.stateless_binomial((2,), (1, 2), 3.0, 0.5, tf.uint8)
    with pytest.raises(BuildError, match="alpha and beta must go together"):
        tf.random.gamma((2,), [1.0, 2.0], [1.0, 2.0, 3.0])


def test_a_generator_draws_binomial_numbers_and_moves_on_as_tensorflow_does():
    generator = tf.random.Generator.from_seed(3)
    drawn = generator.binomial([4], [20.0, 400.0, 8.0, 30.0], [0.3, 0.4, 0.5, 0.9])

    assert drawn.tolist() == [6, 158, 4, 25]
    assert generator.state.tolist() == [204803, 0, 0]
