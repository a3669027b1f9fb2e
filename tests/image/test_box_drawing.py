"""Outlines of boxes, against a loop over pixels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildTypeError, InvalidArgumentError

COORDINATES = st.integers(-6, 16).map(lambda n: n / 10)


@given(st.lists(st.tuples(*[COORDINATES] * 4), max_size=4), st.integers(1, 7), st.integers(1, 7))
def test_pixels_on_the_outlines_get_the_colour_of_the_last_box(boxes, height, width):
    image = np.zeros((1, height, width, 1), np.float32)
    table = np.array(boxes, np.float32).reshape(1, -1, 4)

    made = tf.image.draw_bounding_boxes(image, table, [[1.0], [2.0], [3.0]])

    expected = np.zeros((height, width))
    sides = np.float32([height - 1, width - 1] * 2)
    for number, box in enumerate(table[0]):
        top, left, bottom, right = np.trunc(box * sides)
        for y in range(height):
            for x in range(width):
                inside = top <= y <= bottom and left <= x <= right
                if inside and (y in (top, bottom) or x in (left, right)):
                    expected[y, x] = number % 3 + 1
    assert made[0, :, :, 0].tolist() == expected.tolist()


def test_a_map_draws_on_whole_blocks():
    images = np.random.default_rng(0).random((60, 2, 5, 6, 3)).astype(np.float32)
    boxes = np.random.default_rng(1).random((60, 2, 3, 4)).astype(np.float32)
    ds = tf.data.Dataset.from_tensor_slices((images, boxes))
    ds = ds.map(lambda i, b: tf.image.draw_bounding_boxes(i, b, None))

    made = list(ds)

    expected = [tf.image.draw_bounding_boxes(*one, None) for one in zip(images, boxes, strict=True)]
    assert np.array_equal(made, expected)
    assert "vectorised" in str(ds.explain())


def test_the_images_given_are_not_changed():
    image = np.zeros((1, 3, 3, 3), np.float32)

    tf.image.draw_bounding_boxes(image, [[[0.0, 0, 1, 1]]], None)

    assert not image.any()


def test_what_cannot_be_drawn_is_refused():
    images, boxes = np.zeros((1, 3, 3, 3), np.float32), np.zeros((1, 1, 4), np.float32)
    with pytest.raises(BuildTypeError, match="float32 or float16, got uint8"):
        tf.image.draw_bounding_boxes(images.astype(np.uint8), boxes, None)
    with pytest.raises(InvalidArgumentError, match="1, 3 or 4 channels, got shape"):
        tf.image.draw_bounding_boxes(images[..., :2], boxes, None)
    with pytest.raises(InvalidArgumentError, match="for a batch of 1, got shape"):
        tf.image.draw_bounding_boxes(images, np.zeros((2, 1, 4), np.float32), None)
    with pytest.raises(InvalidArgumentError, match="at least 3 channels, got shape"):
        tf.image.draw_bounding_boxes(images, boxes, [[1.0]])
