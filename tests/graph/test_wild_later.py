"""Functions on elements that are tame at first and wild later: as called one by one."""

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset, Options
from tests.graph.plain_loop import assert_identical, how_it_runs, outcome_of

N = 120
TABLE = np.linspace(-2, 2, 9).astype(np.float32)


def numbers(dtype=np.float64, shape=()):
    """Small numbers; from the eightieth on, those that fit nowhere."""
    drawn = np.random.default_rng(3).uniform(0.1, 3, (N, *shape)).astype(dtype)
    wild = (np.inf, np.nan, 1e-310, 3.4e38, -32768.0)
    with np.errstate(all="ignore"):
        for place, number in enumerate(wild * 8):
            drawn[80 + place] = np.array(number).astype(dtype)
    return drawn


def in_a_list(x):
    return np.array([np.where(x > 0, x, x), 7], dtype=np.int64)


def ours_in_a_list(x):
    return np.array([tf.where(x > 0, x, x), 7], dtype=np.int64)


def filled(x):
    made = np.array([3, 4])
    made.fill(tf.math.divide_no_nan(x, x - 1))
    return made


def as_python_number(x):
    return x.item()


def masked(x):
    made = np.zeros(3, np.uint8)
    made[np.array([False, False, False])] = x
    return made


def boxed_in_place(x):
    made = np.where(x > 0, x, x)
    made += made
    return made**made


def first_in_a_list(x):
    return np.array([x[..., 0], 300], dtype=np.int64)


CASES = [
    (in_a_list, numbers()),
    (ours_in_a_list, numbers()),
    (filled, numbers()),
    (as_python_number, numbers()),
    (masked, numbers()),
    (boxed_in_place, numbers()),
    (first_in_a_list, numbers(np.float32, (3,))),
]


@pytest.mark.parametrize("errors", ["ignore", "warn", "raise"])
@pytest.mark.parametrize(("fn", "elements"), CASES, ids=[fn.__name__ for fn, _ in CASES])
def test_wild_elements_are_as_in_plain_python(fn, elements, errors):
    for block_size in (20, 100):
        made = Dataset.from_tensor_slices(elements).map(fn)
        made = made.with_options(Options(block_size=block_size))
        with np.errstate(all=errors):
            found = outcome_of(made)
            expected = outcome_of(made.with_options(Options(vectorize=False)))

        assert_identical(found.elements, expected.elements)
        assert found.warned == expected.warned


def test_a_number_made_by_numpys_type_takes_the_dtype_of_the_tensor_beside_it():
    counts = np.arange(N, dtype=np.uint8) % 7
    values = np.full((N, 2), -32768, np.int16)
    values[:60] = 5

    made = Dataset.from_tensor_slices((counts, values)).map(
        lambda count, value: np.digitize(value - np.int64(count), TABLE)
    )
    expected = outcome_of(made.with_options(Options(vectorize=False)))

    assert_identical(outcome_of(made).elements, expected.elements)


def test_functions_of_ours_make_single_numbers_of_numbers():
    number = tf.constant(np.float64(3))
    for made in (tf.where(number > 0, number, number), tf.math.divide_no_nan(number, number)):
        assert isinstance(made, np.float64)
        assert hash(made) == hash(float(made))


def test_an_array_without_axes_stays_one_when_it_is_changed_in_place():
    made = Dataset.from_tensor_slices(numbers()).map(boxed_in_place)

    list(made.take(60))
    assert "without axes" in how_it_runs(made.take(60))
