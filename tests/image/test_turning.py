"""Images mirrored and turned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError
from feedline.image.turning import flip_left_right, flip_up_down, flipped, rot90, transpose

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 4))
DTYPES = st.sampled_from(["u1", "i2", "f4", "f8"])


@given(SHAPES, DTYPES, st.integers(-5, 5))
def test_turns_are_numpys(shape, dtype, times):
    image = np.arange(np.prod(shape)).reshape(shape).astype(dtype)

    assert np.array_equal(flip_left_right(image), image[:, ::-1])
    assert np.array_equal(flip_up_down(image), image[::-1])
    assert np.array_equal(rot90(image, times), np.rot90(image, times))
    assert np.array_equal(transpose(image), image.swapaxes(0, 1))


def test_turning_twice_is_nothing():
    images = np.random.default_rng(0).normal(size=(2, 3, 4, 1))

    assert np.array_equal(flip_left_right(flip_left_right(images)), images)
    assert np.array_equal(transpose(transpose(images)), images)


def test_an_image_without_pixels_stays_without():
    assert flip_left_right(np.zeros((0, 3, 1))).shape == (0, 3, 1)


def test_every_element_may_be_mirrored_in_another_way():
    images = np.arange(80 * 6).reshape(80, 2, 3, 1)
    flips = np.arange(80) % 4
    mapped = tf.data.Dataset.from_tensor_slices((images, flips)).map(flipped)

    for image, flip, made in zip(images, flips, mapped, strict=True):
        assert np.array_equal(made, image[:: 1 - (flip & 2), :: 1 - 2 * (flip & 1)])


@pytest.mark.parametrize("turn", [flip_left_right, flip_up_down, rot90, transpose])
def test_something_else_than_an_image_is_refused(turn):
    with pytest.raises(BuildError, match="an image has 3 axes"):
        turn(np.zeros((3, 3)))
