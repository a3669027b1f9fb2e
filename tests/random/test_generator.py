"""random.Generator: TensorFlow's states and numbers (more of them in tests/golden)."""

import pickle

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError

Generator = tf.random.Generator


def test_the_state_is_that_of_tensorflow():
    generator = Generator.from_seed(1234)
    assert generator.state.tolist() == [1234, 0, 0]

    generator.normal((2, 3))

    assert generator.state.tolist() == [2770, 0, 0]


@pytest.mark.parametrize(
    ("seed", "state"),
    [
        (2**70 + 3, [3, 64, 0]),
        (-1, [-1, -1, -1]),
        ([7, 8], [0, 7, 8]),
        (np.array([7, 8, 9, 10]), [7, 8, 9]),
        (2**63, [-(2**63), 0, 0]),
    ],
)
def test_a_seed_is_a_number_of_any_size_or_a_list(seed, state):
    assert Generator.from_seed(seed).state.tolist() == state


def test_draws_go_on_where_the_last_one_ended():
    generator = Generator.from_seed(5)

    assert generator.uniform((3,)).tolist() != generator.uniform((3,)).tolist()


def test_a_state_gives_the_same_draws_again():
    generator = Generator.from_seed(5)
    generator.normal((3,))
    state = generator.state

    drawn = generator.uniform((4,)).tolist()

    assert Generator.from_state(state, "philox").uniform((4,)).tolist() == drawn
    generator.reset(state)
    assert generator.uniform((4,)).tolist() == drawn
    generator.reset_from_key_counter(state[2], state[:2])
    assert generator.uniform((4,)).tolist() == drawn


def test_a_copy_has_a_state_of_its_own():
    generator = Generator.from_seed(5)
    copy = Generator(copy_from=generator)

    drawn = generator.uniform((4,)).tolist()

    assert copy.uniform((4,)).tolist() == drawn


def test_a_generator_can_be_pickled():
    generator = Generator.from_seed(5)
    copy = pickle.loads(pickle.dumps(generator))

    assert copy.uniform((4,)).tolist() == generator.uniform((4,)).tolist()


def test_skip_moves_on_as_a_draw_does():
    one, other = Generator.from_seed(5), Generator.from_seed(5)

    before = one.skip(6)
    other.uniform((2, 3))

    assert before.tolist() == [5, 0, 0]
    assert one.state.tolist() == other.state.tolist()


def test_the_counter_carries_from_half_to_half():
    generator = Generator.from_state([-1, 3, 4], "philox")

    generator.skip(1)

    assert generator.state.tolist() == [255, 4, 4]


def test_an_unknown_state_is_another_one_each_time():
    first, second = (Generator.from_non_deterministic_state() for _ in range(2))

    assert first.state.tolist() != second.state.tolist()


def test_generators_split_off_differ():
    first, second = Generator.from_seed(5).split(2)

    assert first.uniform((3,)).tolist() != second.uniform((3,)).tolist()


def test_a_map_that_draws_from_a_generator_calls_it_for_every_element():
    generator = Generator.from_seed(5)

    drawn = [float(x) for x in tf.data.Dataset.range(5).map(lambda _: generator.uniform(()))]

    again = Generator.from_seed(5)
    assert drawn == [float(again.uniform(())) for _ in range(5)]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Generator(), r"state and alg must be given\. .* call Generator\.from_seed"),
        (lambda: Generator(Generator.from_seed(1), [1, 2, 3]), "copy_from must be given alone"),
        (lambda: Generator.from_state([1, 2], "philox"), "state must have 3 numbers, got 2"),
        (lambda: Generator.from_state([1, 2, 3], "threefry"), 'alg must be "philox"'),
        (lambda: Generator.from_key_counter(1, [2], "philox"), "counter must have 2 numbers"),
        (lambda: Generator.from_seed(0.5), "seed must be an integer, got 0.5"),
        (lambda: Generator.from_seed(1).uniform((), dtype=tf.int32), "both be given for int32"),
        (lambda: Generator.from_seed(1).uniform_full_int((), tf.float32), "must be an integer"),
        (lambda: Generator.from_seed(1).split(-1), "count must be at least 0, got -1"),
    ],
)
def test_what_cannot_be_is_refused(call, text):
    with pytest.raises(BuildError, match=r"^random\.Generator.*\(\): .*" + text):
        call()


def test_what_is_drawn_is_a_tensor():
    generator = tf.random.Generator.from_seed(1)

    drawn = [generator.uniform([2]), generator.normal([2]), generator.make_seeds(2)]

    assert all(isinstance(numbers, tf.Tensor) for numbers in drawn)
    assert isinstance(tf.random.experimental.stateless_split([1, 2], 2), tf.Tensor)
