"""Random rectangles: resized crops and erasing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, InvalidArgumentError
from feedline.image.random_parts import part_of

SIZES = st.integers(1, 200)


@given(st.integers(0, 9999), SIZES, SIZES)
def test_a_part_lies_inside_and_has_the_area_and_the_ratio(seed, height, width):
    draws = np.random.default_rng(seed).random((10, 4))

    found = part_of(draws, height, width, (0.1, 0.9), (0.5, 2.0))

    if found is not None:
        top, left, rows, columns = found
        assert 0 <= top <= height - rows
        assert 0 <= left <= width - columns
        assert 0.5 * (rows - 1) <= columns + 0.5
        assert columns - 0.5 <= 2 * (rows + 0.5)
        slack = rows + columns
        assert 0.1 * height * width - slack <= rows * columns <= 0.9 * height * width + slack


def test_every_place_is_as_likely():
    draws = np.random.default_rng(0).random((4000, 1, 4))
    tops = [part_of(one, 10, 10, (0.25, 0.25), (1.0, 1.0))[0] for one in draws]

    counts = np.bincount(tops)
    assert len(counts) == 6
    assert counts.min() > 550


def test_an_image_that_no_part_fits_gives_its_middle():
    image = np.repeat(np.arange(100, dtype=np.uint8), 3).reshape(1, 100, 3)

    made = tf.image.random_resized_crop(image, (1, 1), scale=(0.9, 1.0), method="nearest")

    assert made.reshape(-1).tolist() == [49] * 3


def test_the_whole_image_is_only_resized():
    image = np.random.default_rng(0).integers(0, 256, (20, 20, 3), np.uint8)

    made = tf.image.random_resized_crop(image, (7, 8), scale=(1, 1), ratio=(1, 1), antialias=True)

    assert np.array_equal(made, tf.image.resize(image, (7, 8), antialias=True))


def test_the_result_has_the_size_and_the_dtype_of_resize():
    images = np.zeros((2, 20, 30, 3), np.uint8)

    assert tf.image.random_resized_crop(images, (7, 8)).shape == (2, 7, 8, 3)
    assert tf.image.random_resized_crop(images[0], (7, 8)).dtype == np.float32
    assert tf.image.random_resized_crop(images[0], (7, 8), method="nearest").dtype == np.uint8


def test_crops_of_images_of_different_sizes_are_batched():
    images = [np.zeros((20 + n, 30 - n, 3), np.uint8) for n in range(20)]
    ds = tf.data.Dataset.from_generator(
        lambda: iter(images), output_signature=tf.TensorSpec((None, None, 3), tf.uint8)
    )
    ds = ds.map(lambda image: tf.image.random_resized_crop(image, (8, 9))).batch(5)

    assert [batch.shape for batch in ds] == [(5, 8, 9, 3)] * 4


# ---- erasing -----------------------------------------------------------------------------


@given(st.integers(0, 9999), st.sampled_from(["uint8", "float32"]))
def test_one_rectangle_is_painted_over(seed, dtype):
    tf.random.set_seed(seed)
    image = np.full((30, 40, 3), 9, dtype)

    made = tf.image.random_erasing(image, 1.0, value=5)

    painted = np.argwhere((made != image).all(-1))
    assert made.dtype == dtype
    assert set(np.unique(made).tolist()) <= {5, 9}
    (top, left), (bottom, right) = painted.min(0), painted.max(0) + 1
    assert len(painted) == (bottom - top) * (right - left)
    assert 0.01 < len(painted) / 1200 < 0.45


def test_a_probability_of_zero_paints_nothing():
    image = np.ones((30, 40, 3), np.uint8)

    assert all(np.array_equal(tf.image.random_erasing(image, 0.0), image) for _ in range(20))


def test_about_a_half_is_painted_over_by_default():
    image = np.zeros((30, 40, 3), np.uint8)
    tf.random.set_seed(0)

    painted = sum(bool(tf.image.random_erasing(image).any()) for _ in range(300))

    assert 110 < painted < 190


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_noise_fills_the_range_of_the_dtype(dtype):
    image = np.zeros((60, 60, 3), dtype)
    top = 1 if dtype == "float32" else np.iinfo(dtype).max
    tf.random.set_seed(3)

    made = tf.image.random_erasing(image, 1.0, scale=(0.4, 0.4), ratio=(1, 1))

    noise = made[made > 0] / top
    assert noise.max() > 0.98
    assert 0.45 < noise.mean() < 0.55


def test_channels_may_have_colours_of_their_own():
    image = np.zeros((30, 40, 3), np.uint8)

    made = tf.image.random_erasing(image, 1.0, value=[1, 2, 3])

    assert set(map(tuple, made.reshape(-1, 3).tolist())) == {(0, 0, 0), (1, 2, 3)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda image: tf.image.random_erasing(image, 1.5), "probability must be from 0 to 1"),
        (lambda image: tf.image.random_erasing(image, value="x"), 'value must be "random"'),
        (lambda image: tf.image.random_erasing(image, scale=(0.5, 0.1)), "the lower one first"),
        (lambda image: tf.image.random_erasing(image, scale=(0.5, 2)), "at most 1"),
        (lambda image: tf.image.random_resized_crop(image, (0, 2)), "above 0, got"),
        (lambda image: tf.image.random_resized_crop(image, 5), "a height and a width"),
        (lambda image: tf.image.random_resized_crop(image, (5, 5), ratio=(0, 1)), "ratio must be"),
        (lambda image: tf.image.random_resized_crop(image[0], (5, 5)), "must have 3 axes"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises(BuildError, match=message):
        call(np.zeros((4, 4, 3), np.uint8))


def test_what_does_not_fit_the_image_is_refused():
    with pytest.raises(InvalidArgumentError, match="one for each of 3 channels"):
        tf.image.random_erasing(np.zeros((30, 30, 3), np.uint8), 1.0, value=[1, 2])
    with pytest.raises(InvalidArgumentError, match="must not be empty"):
        tf.image.random_resized_crop(np.zeros((0, 4, 3), np.uint8), (5, 5))


# ---- what a seed gives -------------------------------------------------------------------

# Parts of such an image seldom fit.
WIDE = np.repeat(np.arange(100, dtype=np.uint8), 3).reshape(1, 100, 3)
SCALE = (0.01, 0.2)


def seeded(fn):
    options = tf.data.Options()
    options.seed = 7
    return tf.data.Dataset.from_tensors(WIDE).repeat(100).with_options(options).map(fn)


def test_ten_parts_are_tried_before_the_middle_is_taken():
    """How many fail follows from the seed; another count of attempts would be another result."""
    ds = seeded(lambda image: tf.image.random_resized_crop(image, (1, 1), SCALE, method="nearest"))

    assert sum(int(image[0, 0, 0]) == 49 for image in ds) == 48


def test_ten_rectangles_are_tried_before_the_image_stays_as_it_is():
    ds = seeded(lambda image: tf.image.random_erasing(image, 1.0, SCALE, value=0))

    assert sum(np.array_equal(image, WIDE) for image in ds) == 30
