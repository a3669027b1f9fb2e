"""The numbers of images in another range."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, BuildTypeError
from feedline.image.scaling import convert_image_dtype, normalize, per_image_standardization

BYTES = np.random.default_rng(0).integers(0, 256, (6, 9, 3)).astype(np.uint8)


@given(st.sampled_from(["uint8", "int8", "uint16", "int16"]), st.integers(0, 2**32))
def test_converting_to_floats_and_back_changes_nothing(dtype, seed):
    high = np.iinfo(dtype).max
    image = np.random.default_rng(seed).integers(0, high, 50, endpoint=True).astype(dtype)

    floats = convert_image_dtype(image, "float32")

    assert floats.dtype == np.float32
    assert floats.max() <= 1
    assert np.array_equal(convert_image_dtype(floats, dtype), image)


def test_the_same_dtype_is_a_copy():
    made = convert_image_dtype(BYTES, "uint8")

    assert np.array_equal(made, BYTES)
    assert not np.shares_memory(made, BYTES)


def test_standardized_images_have_mean_0_and_variance_1():
    made = per_image_standardization(np.stack([BYTES, BYTES[::-1]]))

    assert np.allclose(made.mean(axis=(1, 2, 3)), 0, atol=1e-6)
    assert np.allclose(made.var(axis=(1, 2, 3)), 1, atol=1e-5)


def test_an_image_of_one_number_becomes_zeros():
    assert not per_image_standardization(np.full((2, 2, 3), 9)).any()


def test_standardizing_in_a_map_gives_the_same():
    images = np.stack([BYTES, BYTES[::-1]] * 40)
    mapped = tf.data.Dataset.from_tensor_slices(images).map(per_image_standardization)

    for image, made in zip(images, mapped, strict=True):
        assert np.array_equal(made, per_image_standardization(image))


def test_normalize_takes_a_number_per_channel():
    made = normalize(BYTES, mean=[1, 2, 3], std=[4, 5, 6])

    assert made.dtype == np.float32
    assert np.allclose(made, (BYTES - np.array([1, 2, 3])) / [4, 5, 6])


def test_normalize_keeps_floats():
    assert normalize(BYTES.astype(np.float64), 1, 2).dtype == np.float64


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: normalize(BYTES, 0, [1, 0, 1]), BuildError, "std must not be 0"),
        (lambda: normalize(BYTES, [1, 2], 1), BuildError, "each of 3 channels"),
        (lambda: normalize(BYTES > 1, 0, 1), BuildTypeError, "must hold numbers"),
        (lambda: convert_image_dtype(BYTES, bool), BuildTypeError, "dtype must hold numbers"),
        (lambda: convert_image_dtype("a", "float32"), BuildTypeError, "must hold numbers"),
        (lambda: per_image_standardization(BYTES[0]), BuildError, "an image has 3 axes"),
    ],
)
def test_what_cannot_be_scaled_is_told(call, error, text):
    with pytest.raises(error, match=text):
        call()
