"""Grey, HSV, YIQ and YUV, against colorsys and products of matrices."""

import colorsys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import feedline as tf
from feedline.errors import BuildTypeError, InvalidArgumentError

SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 4), st.just(3))
FLOATS = arrays.arrays(np.float64, SHAPES, elements=st.floats(0, 1, width=16))


@given(FLOATS)
def test_hsv_is_that_of_colorsys(image):
    made = tf.image.rgb_to_hsv(image)

    expected = [colorsys.rgb_to_hsv(*pixel) for pixel in image.reshape(-1, 3)]
    # A hue of a whole turn is one of none.
    difference = np.abs(made.reshape(-1, 3) - expected)
    assert np.minimum(difference, np.abs(difference - 1))[:, 0].max() < 1e-6
    assert difference[:, 1:].max() < 1e-6


@given(FLOATS)
def test_rgb_of_hsv_is_that_of_colorsys(image):
    made = tf.image.hsv_to_rgb(image)

    expected = [colorsys.hsv_to_rgb(*pixel) for pixel in image.reshape(-1, 3)]
    assert np.allclose(made.reshape(-1, 3), expected, atol=1e-9)


@given(FLOATS)
def test_every_space_leads_back(image):
    for there, back in (
        (tf.image.rgb_to_hsv, tf.image.hsv_to_rgb),
        (tf.image.rgb_to_yiq, tf.image.yiq_to_rgb),
        (tf.image.rgb_to_yuv, tf.image.yuv_to_rgb),
    ):
        assert np.allclose(back(there(image)), image, atol=1e-4)


@given(arrays.arrays(np.uint8, SHAPES))
def test_grey_is_a_weighed_sum(image):
    made = tf.image.rgb_to_grayscale(image)

    expected = (image.astype(np.float64) * (0.2989, 0.587, 0.114)).sum(-1, keepdims=True)
    assert made.dtype == np.uint8
    assert np.abs(made - expected * 255.5 / 255).max() <= 1


@given(arrays.arrays(np.int16, st.tuples(st.integers(1, 4), st.integers(1, 4), st.just(1))))
def test_rgb_of_grey_is_grey_three_times(image):
    made = tf.image.grayscale_to_rgb(image)

    assert made.tolist() == [[[pixel[0]] * 3 for pixel in row] for row in image.tolist()]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floats_keep_their_dtype(dtype):
    image = np.ones((1, 2, 3), dtype)

    for name in ("rgb_to_hsv", "hsv_to_rgb", "rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv"):
        assert getattr(tf.image, name)(image).dtype == dtype


def test_integers_are_refused_where_floats_are_needed():
    with pytest.raises(BuildTypeError, match=r"rgb_to_hsv\(\): images must be floats, got uint8"):
        tf.image.rgb_to_hsv(np.zeros((1, 1, 3), np.uint8))


def test_other_numbers_of_channels_are_refused():
    with pytest.raises(InvalidArgumentError, match="must have 3 channels, got 1"):
        tf.image.rgb_to_grayscale(np.zeros((2, 2, 1), np.uint8))
    with pytest.raises(InvalidArgumentError, match="last axis must have length 1, got shape"):
        tf.image.grayscale_to_rgb(np.zeros((2, 2), np.uint8))
    with pytest.raises(InvalidArgumentError, match="must have 3 channels, got 2"):
        tf.image.rgb_to_yuv(np.zeros((2, 2)))
