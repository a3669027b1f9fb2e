"""Hue and saturation of images of every dtype; see tests/kernels/test_color.py for pixels."""

import colorsys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import feedline as tf
from feedline.errors import BuildError, InvalidArgumentError

SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 5), st.just(3))
IMAGES = arrays.arrays(np.uint8, SHAPES)


def changed(image, change):
    made = [change(*colorsys.rgb_to_hsv(*pixel)) for pixel in (image / 255).reshape(-1, 3)]
    return np.array([colorsys.hsv_to_rgb(*hsv) for hsv in made]).reshape(image.shape)


@given(IMAGES, st.floats(-1, 1, width=32))
def test_hue_is_what_colorsys_calls_hue(image, delta):
    made = tf.image.adjust_hue(image / 255, delta)

    assert np.allclose(made, changed(image, lambda h, s, v: ((h + delta) % 1, s, v)), atol=1e-5)


@given(IMAGES, st.floats(0, 2, width=32))
def test_saturation_is_what_colorsys_calls_saturation(image, factor):
    made = tf.image.adjust_saturation(image / 255, factor)

    expected = changed(image, lambda h, s, v: (h, min(s * factor, 1), v))
    assert np.allclose(made, expected, atol=1e-5)


@given(IMAGES)
def test_bytes_are_what_their_floats_become(image):
    floats = tf.image.convert_image_dtype(image, tf.float32)

    for made, expected in (
        (tf.image.adjust_hue(image, 0.3), tf.image.adjust_hue(floats, 0.3)),
        (tf.image.adjust_saturation(image, 0.3), tf.image.adjust_saturation(floats, 0.3)),
    ):
        assert np.array_equal(made, tf.image.convert_image_dtype(expected, tf.uint8))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "float16", "float32", "float64"])
def test_every_dtype_stays_what_it_is(dtype):
    image = np.ones((2, 3, 3), dtype)

    assert tf.image.adjust_hue(image, 0.3).dtype == dtype
    assert tf.image.adjust_saturation(image, 0.3).dtype == dtype


def test_another_number_of_channels_is_refused():
    with pytest.raises(InvalidArgumentError, match=r"must have 3 channels, got 4 in shape"):
        tf.image.adjust_hue(np.zeros((2, 2, 4), np.uint8), 0.1)
    with pytest.raises(InvalidArgumentError, match=r"must have 3 channels, got 1 in shape"):
        tf.image.adjust_saturation(np.zeros((2, 2, 1), np.uint8), 0.1)


@pytest.mark.parametrize("delta", [1.01, -2, np.nan])
def test_a_hue_beyond_a_turn_is_refused(delta):
    with pytest.raises(BuildError, match=r"delta must be from -1 to 1, got"):
        tf.image.adjust_hue(np.zeros((2, 2, 3), np.uint8), delta)


def test_a_parameter_of_several_numbers_is_refused():
    with pytest.raises(InvalidArgumentError, match="delta must be a single number"):
        tf.image.adjust_hue(np.zeros((2, 2, 3), np.uint8), [0.1, 0.2])
