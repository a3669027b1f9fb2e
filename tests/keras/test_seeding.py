import random

import numpy as np
import pytest

import feedline as tf


@pytest.fixture(autouse=True)
def restored():
    state, numpy_state = random.getstate(), np.random.get_state()
    yield
    random.setstate(state)
    np.random.set_state(numpy_state)
    tf.random.set_seed(None)


def draws():
    shuffled = tf.data.Dataset.range(20).shuffle(20)
    return [
        random.random(),
        float(np.random.rand()),
        tf.random.uniform([3]).tolist(),
        [int(x) for x in shuffled],
    ]


def test_every_source_of_random_numbers_starts_anew():
    tf.keras.utils.set_random_seed(7)
    first = draws()
    tf.keras.utils.set_random_seed(7)

    assert draws()[:3] == first[:3]
    tf.keras.utils.set_random_seed(8)
    assert draws()[:3] != first[:3]


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "1"])
def test_what_numpy_cannot_be_seeded_with_is_refused(seed):
    with pytest.raises(ValueError, match=r"set_random_seed\(\): seed must be"):
        tf.keras.utils.set_random_seed(seed)
