"""tf.random.set_seed: which steps it reaches, what wins over it, and what states keep of it.

What TensorFlow gives after it is in tests/golden/cases/seeds.py.
"""

import json
import random

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildTypeError, CheckpointError
from feedline.seeding import both, global_seed, operation_seeds, set_seed, truncated

Dataset = tf.data.Dataset


def shuffled(**options):
    return Dataset.range(50).shuffle(20).with_options(tf.data.Options(**options))


def numbers(ds):
    return [int(x) for x in ds]


def test_without_a_seed_every_dataset_has_another_order():
    assert global_seed() is None
    assert operation_seeds(None) is None
    assert numbers(shuffled()) != numbers(shuffled())


def test_steps_take_seeds_in_the_order_in_which_they_are_made():
    set_seed(4)
    first, second = shuffled(), shuffled()
    orders = numbers(second), numbers(first)
    set_seed(4)
    again = [numbers(shuffled()), numbers(shuffled())]

    assert again == [orders[1], orders[0]]
    assert orders[0] != orders[1]


def test_a_step_keeps_its_seed_when_another_one_is_set():
    set_seed(4)
    ds = shuffled()
    set_seed(4)
    wanted = numbers(shuffled())
    set_seed(9)

    assert numbers(ds) == wanted


def test_options_win_over_the_program_and_a_step_over_both():
    plain = numbers(shuffled(seed=3)), numbers(Dataset.range(50).shuffle(20, seed=5))
    set_seed(4)

    assert numbers(shuffled(seed=3)) == plain[0]
    own = numbers(Dataset.range(50).shuffle(20, seed=5))
    assert own != plain[1]
    options = tf.data.Options(seed=3)
    assert numbers(Dataset.range(50).shuffle(20, seed=5).with_options(options)) == own


def test_options_win_for_an_order_that_stays_the_same_too():
    def fixed():
        ds = Dataset.range(50).shuffle(20, reshuffle_each_iteration=False)
        return ds.with_options(tf.data.Options(seed=3))

    wanted = numbers(fixed())
    set_seed(4)
    ds = fixed()

    assert numbers(ds) == numbers(ds) == wanted


def test_draws_in_functions_are_the_same_in_every_run_of_the_program():
    def draws(vectorize=True):
        set_seed(6)
        ds = Dataset.range(30).map(lambda x: tf.random.uniform(()), vectorize=vectorize)
        return [[float(x) for x in ds] for _ in range(2)]

    first, second = draws()
    assert draws() == [first, second] == draws(vectorize=False)
    assert first != second


def test_a_function_does_not_move_the_seeds_of_the_program():
    set_seed(6)
    wanted = numbers(shuffled())
    set_seed(6)
    ds = Dataset.range(3).map(lambda x: x + tf.random.uniform((), 0, 9, tf.int64))
    list(ds.flat_map(lambda x: Dataset.range(4).shuffle(4)))

    assert numbers(shuffled()) == wanted


@pytest.mark.parametrize("executor", ["inline", "threads", "background"])
def test_shuffles_inside_functions_are_the_same_wherever_they_run(executor):
    def order(**options):
        set_seed(2)
        ds = Dataset.range(4).flat_map(lambda x: Dataset.range(10).shuffle(10))
        return numbers(ds.with_options(tf.data.Options(**options)))

    assert order(executor=executor) == order()


@pytest.mark.parametrize(
    "make",
    [
        shuffled,
        lambda: Dataset.range(50).shuffle(20, reshuffle_each_iteration=False).repeat(2),
        lambda: Dataset.range(50).shuffle(20).cache().map(lambda x: x + 1).repeat(2),
        lambda: Dataset.range(8).flat_map(lambda x: Dataset.range(9).shuffle(5)).repeat(2),
        lambda: Dataset.random().take(50),
        lambda: Dataset.sample_from_datasets([Dataset.range(30), Dataset.range(30, 60)]),
    ],
)
@pytest.mark.parametrize("later", [None, 1, 77])
def test_a_state_continues_whatever_seed_the_program_has_later(make, later):
    set_seed(1)
    it = iter(make())
    for _ in range(30):
        next(it)
    state = json.loads(json.dumps(it.state_dict()))
    rest = numbers(it)

    set_seed(later)
    resumed = iter(make())
    resumed.load_state_dict(state)

    assert numbers(resumed) == rest


def test_a_state_of_a_program_without_a_seed_continues_in_one_with_a_seed():
    it = iter(shuffled())
    for _ in range(30):
        next(it)
    state = it.state_dict()
    assert "inherited" not in state
    set_seed(1)
    resumed = iter(shuffled())
    resumed.load_state_dict(state)

    assert numbers(resumed) == numbers(it)


def test_a_step_with_a_seed_continues_only_beside_the_same_seed_of_the_program():
    set_seed(1)
    state = iter(Dataset.range(9).shuffle(9, seed=5)).state_dict()
    set_seed(2)

    with pytest.raises(CheckpointError, match=r"shuffle\(9, \(1, 5\), True\)"):
        iter(Dataset.range(9).shuffle(9, seed=5)).load_state_dict(state)


@pytest.mark.parametrize("damaged", [3, [1], [1, [[2, 3]]], ["x", []], [None, [["a", 1, 2]]]])
def test_a_damaged_part_of_a_state_is_an_error(damaged):
    set_seed(1)
    state = {**iter(shuffled()).state_dict(), "inherited": damaged}

    with pytest.raises(CheckpointError, match="damaged"):
        iter(shuffled()).load_state_dict(state)


def test_what_is_no_integer_is_refused():
    with pytest.raises(BuildTypeError, match=r"set_seed\(\): seed must be an integer"):
        set_seed("abc")


def test_two_zeros_are_no_seed_to_tensorflow():
    assert both(0, 2**31 - 1) == (0, 2**31 - 1)
    assert both(1, 0) == (1, 0)
    assert truncated(-1) == 2**31 - 2


def test_keras_sets_python_and_numpy_too():
    def drawn():
        tf.keras.utils.set_random_seed(5)
        return random.random(), np.random.rand(), float(tf.random.uniform(()))

    states = random.getstate(), np.random.get_state()
    try:
        assert drawn() == drawn()
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
