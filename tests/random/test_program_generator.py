import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError


def test_the_generator_of_the_program_is_one_object_until_another_is_set():
    first = tf.random.get_global_generator()
    assert first is tf.random.experimental.get_global_generator()
    other = tf.random.Generator.from_seed(3)
    tf.random.set_global_generator(other)
    try:
        assert tf.random.get_global_generator() is other
    finally:
        tf.random.set_global_generator(first)


def test_only_a_generator_can_be_set():
    with pytest.raises(BuildTypeError, match="must be a Generator, got int"):
        tf.random.set_global_generator(3)


def test_an_algorithm_may_be_a_name_or_a_member():
    state = tf.random.create_rng_state([1, 2], tf.random.Algorithm.AUTO_SELECT)

    assert state.tolist() == [0, 1, 2]
    with pytest.raises(BuildError, match="alg must be"):
        tf.random.create_rng_state(1, tf.random.Algorithm.THREEFRY)
