"""Differences of neighbouring pixels, against loops over pixels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import feedline as tf
from feedline.errors import BuildTypeError, InvalidArgumentError

SHAPES = st.tuples(*[st.integers(1, 4)] * 4)
INTEGERS = arrays.arrays(np.int32, SHAPES, elements=st.integers(-99, 99))
LARGER = st.tuples(st.integers(1, 2), st.integers(2, 5), st.integers(2, 5), st.integers(1, 3))


@given(INTEGERS)
def test_gradients_are_differences_to_the_next_pixel(images):
    dy, dx = tf.image.image_gradients(images)

    for place in np.ndindex(images.shape):
        n, y, x, c = place
        below = images[n, y + 1, x, c] - images[place] if y + 1 < images.shape[1] else 0
        right = images[n, y, x + 1, c] - images[place] if x + 1 < images.shape[2] else 0
        assert (dy[place], dx[place]) == (below, right)


KERNELS = np.array([[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]])


@given(arrays.arrays(np.float64, LARGER, elements=st.integers(-99, 99).map(float)))
def test_sobel_edges_are_sums_over_three_by_three_pixels(images):
    made = tf.image.sobel_edges(images)

    def mirrored(at, length):
        return abs(at) if at < length else 2 * (length - 1) - at

    _, height, width, _ = images.shape
    for n, y, x, c, kind in np.ndindex(made.shape):
        total = sum(
            KERNELS[kind, i, j]
            * images[n, mirrored(y + i - 1, height), mirrored(x + j - 1, width), c]
            for i in range(3)
            for j in range(3)
        )
        assert made[n, y, x, c, kind] == total


@given(INTEGERS)
def test_total_variation_adds_all_differences_up(images):
    made = tf.image.total_variation(images)

    dy, dx = tf.image.image_gradients(images)
    assert made.dtype == np.int32
    assert made.tolist() == [int(abs(a).sum() + abs(b).sum()) for a, b in zip(dy, dx, strict=True)]
    assert tf.image.total_variation(images[0]) == made[0]


def test_small_integers_wrap_as_those_of_tensorflow():
    image = np.array([[[0], [100]], [[0], [100]]], np.int8)

    assert tf.image.total_variation(image) == np.int8(-56)


def test_what_cannot_be_is_refused():
    with pytest.raises(InvalidArgumentError, match=r"image must have 4 axes.*image\[None\]"):
        tf.image.image_gradients(np.zeros((2, 2, 1)))
    with pytest.raises(BuildTypeError, match="must hold floats, got uint8"):
        tf.image.sobel_edges(np.zeros((1, 2, 2, 1), np.uint8))
    with pytest.raises(InvalidArgumentError, match="at least 2 by 2"):
        tf.image.sobel_edges(np.zeros((1, 1, 2, 1)))
    with pytest.raises(BuildTypeError, match="signed integers, got uint8"):
        tf.image.total_variation(np.zeros((2, 2, 1), np.uint8))
    with pytest.raises(InvalidArgumentError, match="3 or 4 axes"):
        tf.image.total_variation(np.zeros((1, 1, 2, 2, 1)))
