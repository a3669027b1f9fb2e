"""Arrays without items, as TensorFlow has them."""

import numpy as np
import pytest

import feedline as tf


@pytest.mark.parametrize(
    ("array", "largest", "smallest"),
    [
        (tf.zeros([0], tf.uint8), 0, 255),
        (tf.zeros([0, 1], tf.int64), -(2**63), 2**63 - 1),
        (tf.zeros([0], tf.float16), -np.inf, np.inf),
    ],
)
def test_the_largest_of_no_numbers_is_the_lowest_there_is(array, largest, smallest):
    assert np.all(tf.reduce_max(array, axis=0) == largest)
    assert np.all(tf.reduce_min(array, axis=0) == smallest)


def test_lists_without_items_may_be_strings():
    made = tf.constant([[], []], dtype=tf.string)

    assert made.shape.as_list() == [2, 0]
    assert made.dtype == tf.string
