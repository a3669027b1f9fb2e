"""Parts of images, and zeros around them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError
from feedline.image.cropping import (
    central_crop,
    crop_to_bounding_box,
    pad_to_bounding_box,
    resize_with_crop_or_pad,
)

LENGTHS = st.integers(1, 9)
BYTES = np.random.default_rng(0).integers(0, 256, (6, 9, 3)).astype(np.uint8)


@given(st.data())
def test_padding_undoes_cropping(data):
    height, width = data.draw(LENGTHS), data.draw(LENGTHS)
    tall, wide = data.draw(st.integers(1, height)), data.draw(st.integers(1, width))
    top, left = data.draw(st.integers(0, height - tall)), data.draw(st.integers(0, width - wide))
    image = np.arange(1, height * width + 1).reshape(height, width, 1)

    part = crop_to_bounding_box(image, top, left, tall, wide)
    back = pad_to_bounding_box(part, top, left, height, width)

    assert np.array_equal(part, image[top : top + tall, left : left + wide])
    assert np.array_equal(back, np.where(np.isin(image, part), image, 0))


@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS)
def test_crop_or_pad_keeps_the_middle(height, width, new_height, new_width):
    image = np.ones((height, width, 1), np.int32)

    made = resize_with_crop_or_pad(image, new_height, new_width)

    assert made.shape == (new_height, new_width, 1)
    assert made.sum() == min(height, new_height) * min(width, new_width)


def test_every_element_may_be_cut_in_another_place():
    places = np.array([[0, 0], [3, 4], [2, 1], [1, 5]] * 20, np.int32)
    mapped = tf.data.Dataset.from_tensor_slices(places).map(
        lambda place: crop_to_bounding_box(BYTES, place[0], place[1], 2, 3)
    )

    assert mapped.element_spec.shape == (2, 3, 3)
    for (top, left), part in zip(places, mapped, strict=True):
        assert np.array_equal(part, BYTES[top : top + 2, left : left + 3])


def test_a_part_is_in_memory_of_its_own():
    part = crop_to_bounding_box(BYTES, 0, 0, 2, 2)

    assert not np.shares_memory(part, BYTES)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: crop_to_bounding_box(BYTES, -1, 0, 2, 2), "offset_height must be at least 0"),
        (lambda: crop_to_bounding_box(BYTES, 0, 0, 2, 0), "target_width must be at least 1"),
        (lambda: crop_to_bounding_box(BYTES, 5, 0, 2, 2), "height is 6, got offset_height 5"),
        (lambda: crop_to_bounding_box(BYTES, 0, 8, 2, 2), "width is 9, got offset_width 8"),
        (lambda: pad_to_bounding_box(BYTES, 0, 1, 6, 9), "width is 9, got offset_width 1"),
        (lambda: pad_to_bounding_box(BYTES, -1, 0, 9, 9), "offset_height must be at least 0"),
        (lambda: central_crop(BYTES, 0), "more than 0 and at most 1, got 0"),
        (lambda: central_crop(BYTES, 1.5), "more than 0 and at most 1, got 1.5"),
        (lambda: resize_with_crop_or_pad(BYTES, 2, -1), "target_width must be at least 1"),
        (lambda: central_crop(BYTES[0], 0.5), "an image has 3 axes"),
    ],
)
def test_what_does_not_fit_is_told(call, text):
    with pytest.raises(BuildError, match=text):
        call()
