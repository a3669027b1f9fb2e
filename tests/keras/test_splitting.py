"""Datasets in two parts: what the recorded cases in tests/golden do not say."""

import random

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError

split = tf.keras.utils.split_dataset


def test_the_random_numbers_of_the_program_are_left_alone():
    random.seed(1)
    before = random.getstate()
    split(np.arange(10), left_size=0.5, shuffle=True, seed=3)

    assert random.getstate() == before


def test_padded_batches_are_taken_apart_and_made_again():
    ds = tf.data.Dataset.range(6).map(lambda n: tf.fill([2], n)).padded_batch(2)
    left, right = split(ds, left_size=4)

    assert [batch[:, 0].tolist() for batch in left] == [[0, 1], [2, 3]]
    assert [batch[:, 0].tolist() for batch in right] == [[4, 5]]


@pytest.mark.parametrize(
    ("data", "settings", "kind", "text"),
    [
        (np.arange(4), {}, BuildError, "at least one of left_size and right_size"),
        (np.arange(4), {"left_size": 4}, BuildError, "a number of elements below 4"),
        (np.arange(4), {"left_size": "a"}, BuildTypeError, "must be an int, a float or None"),
        (np.arange(4), {"left_size": 3, "right_size": 2}, BuildError, "nothing out twice"),
        (np.arange(4), {"left_size": 0.1}, BuildError, "neither part may be empty"),
        ([[1, 2]], {"left_size": 1}, BuildTypeError, "got a list at 0. Use np.asarray"),
        ((np.arange(2), np.arange(3)), {"left_size": 1}, BuildError, "must have one length"),
        ("ab", {"left_size": 1}, BuildTypeError, "must be a Dataset, an array, or a list"),
        (np.arange(0), {"left_size": 1}, BuildError, "must have elements"),
        (
            np.arange(4),
            {"left_size": 1, "preferred_backend": "torch"},
            BuildError,
            "preferred_backend must be None or 'tensorflow'",
        ),
    ],
)
def test_what_cannot_be_divided_is_refused(data, settings, kind, text):
    with pytest.raises(kind, match=text):
        split(data, **settings)
