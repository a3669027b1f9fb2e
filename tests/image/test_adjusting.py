"""Brightness, contrast and gamma, against formulas one number at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError

F = np.float32
SHAPES = arrays.array_shapes(min_dims=3, max_dims=4, max_side=5)
IMAGES = arrays.arrays(np.uint8, SHAPES) | arrays.arrays(np.uint16, SHAPES)
FLOATS = arrays.arrays(F, SHAPES, elements=st.floats(0, 1, width=32))


def as_integer(value, dtype):
    top = np.iinfo(dtype).max
    return int(min(max(F(value * F(top + 0.5)), F(0)), F(top)))


@given(IMAGES, st.floats(-1, 1, width=32))
def test_brightness_is_added_to_every_number(image, delta):
    made = tf.image.adjust_brightness(image, delta)

    scale = F(1.0 / np.iinfo(image.dtype).max)
    expected = [
        as_integer(F(F(F(number) * scale) + F(delta)), image.dtype) for number in image.flat
    ]
    assert made.dtype == image.dtype
    assert made.shape == image.shape
    assert made.ravel().tolist() == expected


@given(FLOATS, st.floats(-1, 1, width=32))
def test_floats_are_not_cut(image, delta):
    made = tf.image.adjust_brightness(image, delta)

    assert made.ravel().tolist() == [float(F(number + F(delta))) for number in image.flat]


@given(FLOATS, st.floats(-2, 2, width=32))
def test_contrast_moves_numbers_from_the_mean_of_their_channel(image, factor):
    made = tf.image.adjust_contrast(image, factor)

    means = image.astype(np.float64).mean(axis=(-3, -2), keepdims=True)
    assert made.dtype == F
    assert np.allclose(made, (image - means) * factor + means, atol=1e-5)


@given(arrays.arrays(np.uint8, SHAPES))
def test_contrast_of_one_leaves_bytes_what_they_are(image):
    assert np.array_equal(tf.image.adjust_contrast(image, 1.0), image)


@given(FLOATS, st.floats(0, 3, width=32), st.floats(0, 2, width=32))
def test_gamma_is_a_power(image, gamma, gain):
    made = tf.image.adjust_gamma(image, gamma, gain)

    assert np.allclose(made, gain * image.astype(np.float64) ** gamma, rtol=1e-5, atol=1e-6)


def test_an_empty_batch_stays_empty():
    images = np.zeros((0, 4, 4, 3), np.uint8)

    assert tf.image.adjust_contrast(images, 2.0).shape == images.shape
    assert tf.image.adjust_hue(images, 0.2).shape == images.shape
    assert tf.image.adjust_brightness(images, 0.2).shape == images.shape


def test_lists_are_images_too():
    assert tf.image.adjust_brightness([[[1.0]]], 1).tolist() == [[[2.0]]]


def test_the_image_given_is_not_changed():
    image = np.full((2, 2, 3), 0.5, F)

    tf.image.adjust_brightness(image, 0.1)
    tf.image.adjust_contrast(image, 2.0)
    tf.image.adjust_gamma(image, 2.0)

    assert (image == 0.5).all()


def test_a_negative_gamma_is_refused():
    with pytest.raises(BuildError, match=r"adjust_gamma\(\): gamma must not be negative, got -1"):
        tf.image.adjust_gamma(np.zeros((1, 1, 3), F), -1.0)


def test_a_contrast_factor_of_several_numbers_is_refused():
    with pytest.raises(InvalidArgumentError, match="must be a single number, got shape"):
        tf.image.adjust_contrast(np.zeros((1, 1, 3), F), [1.0, 2.0])


def test_what_is_no_image_is_refused():
    with pytest.raises(BuildTypeError, match="must hold numbers, got bool"):
        tf.image.adjust_brightness(np.zeros((1, 1, 3), bool), 0.1)
    with pytest.raises(InvalidArgumentError, match=r"at least 3 axes.*got shape \[4, 3\]"):
        tf.image.adjust_contrast(np.zeros((4, 3), F), 0.1)
    with pytest.raises(BuildTypeError, match="delta must be a number, got 'x'"):
        tf.image.adjust_brightness(np.zeros((1, 1, 3), F), "x")
