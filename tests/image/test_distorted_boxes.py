"""Random parts of images that show enough of an object; tests/golden has TensorFlow's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError

BOX = [[[0.2, 0.3, 0.7, 0.8]]]


@given(st.integers(0, 999), st.integers(20, 300), st.integers(20, 300))
def test_a_part_is_of_the_area_the_ratio_and_shows_enough(seed, height, width):
    begin, size, bboxes = tf.image.stateless_sample_distorted_bounding_box(
        [height, width, 3], BOX, (seed, 1), 0.5, (0.5, 2.0), (0.2, 0.9)
    )

    top, left, _ = begin.tolist()
    rows, columns, rest = size.tolist()
    assert rest == -1
    assert np.allclose(
        bboxes * [height, width, height, width], [[[top, left, top + rows, left + columns]]]
    )
    assert 0 <= top <= height - rows
    assert 0 <= left <= width - columns
    if (rows, columns) == (height, width):
        return  # none of a hundred attempts was good enough
    assert 0.2 * height * width - 1 <= rows * columns <= 0.9 * height * width + 1
    assert 0.5 * rows - 1 <= columns <= 2 * rows + 1
    object_ = [int(np.float32(x) * y) for x, y in zip(BOX[0][0], [height, width] * 2, strict=True)]
    high = min(top + rows, object_[2]) - max(top, object_[0])
    wide = min(left + columns, object_[3]) - max(left, object_[1])
    whole = (object_[2] - object_[0]) * (object_[3] - object_[1])
    assert high * wide >= 0.5 * whole - 1e-6


def test_what_cannot_be_found_is_the_whole_image():
    begin, size, _ = tf.image.stateless_sample_distorted_bounding_box(
        [10, 20, 3], [[[0.0, 0, 1, 1]]], (1, 2), 1.0, area_range=(0.1, 0.2), max_attempts=3
    )

    assert begin.tolist() == [0, 0, 0]
    assert size.tolist() == [10, 20, -1]


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
def test_begin_and_size_have_the_dtype_of_the_image_size(dtype):
    sizes = np.array([20, 30, 3], dtype)

    sample = tf.image.stateless_sample_distorted_bounding_box(sizes, BOX, (1, 2))

    assert sample.begin.dtype == sample.size.dtype == dtype
    assert sample.bboxes.dtype == np.float32


def test_inside_a_map_a_part_belongs_to_its_element():
    options = tf.data.Options()
    options.seed = 3

    def parts(**settings):
        ds = tf.data.Dataset.range(60).map(
            lambda x: tf.image.sample_distorted_bounding_box([200, 300, 3], BOX), **settings
        )
        return [tuple(begin.tolist()) for begin, _, _ in ds.with_options(options)]

    assert parts() == parts(num_parallel_calls=3) == parts(vectorize=False)
    assert len(set(parts())) > 50


def test_a_seed_makes_draws_the_same():
    def parts(seed):
        ds = tf.data.Dataset.range(9).map(
            lambda x: tf.image.sample_distorted_bounding_box([200, 300, 3], BOX, seed)[0]
        )
        return [part.tolist() for part in ds]

    assert parts(5) == parts(5) != parts(6)
    assert parts(0) != parts(0)


def test_parts_of_images_of_different_sizes_are_cut_in_a_map():
    images = [np.zeros((20 + n, 30, 3), np.uint8) for n in range(9)]
    ds = tf.data.Dataset.from_generator(
        lambda: iter(images), output_signature=tf.TensorSpec((None, None, 3), tf.uint8)
    )

    def cut(image):
        begin, size, _ = tf.image.sample_distorted_bounding_box(tf.shape(image), BOX)
        return tf.slice(image, begin, size)

    assert all(0 < part.size <= 28 * 30 * 3 for part in ds.map(cut))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bounding_boxes": [[[0.0, 0, 1, 2]]]}, "from 0 to 1, got 2.0"),
        ({"bounding_boxes": [[0.0, 0, 1, 1]]}, r"\[batch, count, 4\], got \[1, 4\]"),
        ({"bounding_boxes": np.zeros((1, 0, 4))}, "use_image_if_no_bounding_boxes=True"),
        ({"image_size": [3, 3]}, "height, width and channels"),
        ({"min_object_covered": -1.0}, "min_object_covered must not be negative"),
        ({"area_range": (0.5, 1.5)}, "area_range must be at most 1"),
        ({"aspect_ratio_range": (0.0, 1.5)}, "two numbers above 0"),
        ({"max_attempts": 0}, "max_attempts must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused(changes, message):
    arguments = {"image_size": [3, 3, 3], "bounding_boxes": BOX, "seed": (1, 2), **changes}
    with pytest.raises((BuildError, InvalidArgumentError), match=message):
        tf.image.stateless_sample_distorted_bounding_box(**arguments)


def test_a_size_of_floats_is_refused():
    with pytest.raises(BuildTypeError, match="image_size must be integers, got float32"):
        tf.image.sample_distorted_bounding_box([3.0, 3.0, 3.0], BOX)
