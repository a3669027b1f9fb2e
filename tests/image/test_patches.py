"""Many parts of images at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, InvalidArgumentError
from feedline.image.patches import crop_and_resize, extract_patches

BATCH = np.random.default_rng(0).normal(size=(2, 5, 6, 3)).astype(np.float32)
BOXES = np.array([[0, 0, 1, 1], [0.1, 0.2, 0.8, 0.7]], np.float32)
ONES = [1, 1, 1, 1]


def test_the_whole_of_an_image_in_its_size_is_the_image():
    made = crop_and_resize(BATCH, BOXES[:1], [1], [5, 6])

    assert np.allclose(made[0], BATCH[1], atol=1e-6)


def test_what_is_outside_is_filled():
    made = crop_and_resize(BATCH, [[2, 2, 3, 3]], [0], [2, 2], extrapolation_value=-4)

    assert np.all(made == -4)


def test_crops_of_batches_in_a_map_are_those_of_each():
    batches = np.stack([BATCH, BATCH[::-1]] * 20)
    mapped = tf.data.Dataset.from_tensor_slices(batches).map(
        lambda batch: crop_and_resize(batch, BOXES, [1, 0], [3, 2])
    )

    for batch, made in zip(batches, mapped, strict=True):
        assert np.array_equal(made, crop_and_resize(batch, BOXES, [1, 0], [3, 2]))


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(1, 2))
def test_patches_are_slices(tall, wide, stride, rate):
    images = np.arange(2 * 8 * 9 * 2).reshape(2, 8, 9, 2)

    made = extract_patches(
        images, [1, tall, wide, 1], [1, stride, stride, 1], [1, rate, rate, 1], "VALID"
    )

    for row in range(made.shape[1]):
        for column in range(made.shape[2]):
            top, left = row * stride, column * stride
            part = images[:, top : top + tall * rate : rate, left : left + wide * rate : rate]
            assert np.array_equal(made[:, row, column], part[:, :tall, :wide].reshape(2, -1))


def test_no_patch_fits_into_a_small_image():
    assert extract_patches(BATCH, [1, 9, 9, 1], ONES, ONES, "VALID").shape == (2, 0, 0, 243)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: crop_and_resize(BATCH, BOXES, [0, 2], [2, 2]),
            InvalidArgumentError,
            "from 0 to 1",
        ),
        (
            lambda: crop_and_resize(BATCH, BOXES, [0], [2, 2]),
            InvalidArgumentError,
            "an index per box",
        ),
        (
            lambda: crop_and_resize(BATCH[0], BOXES, [0, 1], [2, 2]),
            InvalidArgumentError,
            "4 axes",
        ),
        (
            lambda: crop_and_resize(BATCH, BOXES, [0, 1], [2, 2], "area"),
            InvalidArgumentError,
            "bilinear or nearest",
        ),
        (
            lambda: extract_patches(BATCH, [1, 0, 2, 1], ONES, ONES, "VALID"),
            BuildError,
            "sizes must be at least 1",
        ),
        (
            lambda: extract_patches(BATCH, ONES, [2, 1, 1, 1], ONES, "VALID"),
            BuildError,
            "strides must be",
        ),
        (
            lambda: extract_patches(BATCH, ONES, ONES, ONES, "FULL"),
            BuildError,
            "padding must be",
        ),
    ],
)
def test_what_is_wrong_is_told(call, error, text):
    with pytest.raises(error, match=text):
        call()
