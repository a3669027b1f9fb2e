"""Images alone, in batches, in blocks of either, and of different sizes."""

from types import SimpleNamespace

import numpy as np
import pytest

import feedline as tf
from feedline.column import Objects, Ragged
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.opaque import Opaque
from feedline.graph.rows import Rows
from feedline.image.leading import (
    batches_of,
    images_given,
    on_images,
    on_rows_of_images,
    on_varied_images,
    resized_spec,
)


def _doubled(images):
    assert images.ndim == 4
    return np.repeat(images, 2, axis=1)


def _turned(image):
    return image.swapaxes(-3, -2)


@pytest.mark.parametrize("leading", [(), (2,), (2, 3), (0,)])
def test_a_kernel_gets_images_whatever_axes_come_before(leading):
    assert on_images(_doubled, np.zeros((*leading, 4, 5, 1))).shape == (*leading, 8, 5, 1)


def test_a_block_of_batches_is_a_block_of_images():
    assert on_rows_of_images(_doubled)(Rows(np.zeros((3, 2, 4, 5, 1)))).shape == (3, 2, 8, 5, 1)


def test_images_of_different_sizes_are_worked_on_one_by_one():
    column = on_varied_images(_turned)(Objects([np.zeros((2, 3, 1)), np.zeros((4, 5, 1))]))

    assert [row.shape for row in column.rows()] == [(3, 2, 1), (5, 4, 1)]


def test_batches_of_different_lengths_are_one_array_of_images():
    batches = Ragged(np.zeros((5, 2, 3, 1)), np.array([1, 3, 5]))

    made = on_varied_images(_turned)(batches)

    assert made.values.shape == (4, 3, 2, 1)
    assert made.splits.tolist() == [0, 2, 4]
    assert batches_of(Objects([np.zeros((2, 3, 1))])) is None


def test_parameters_that_differ_are_left_to_the_elements():
    with pytest.raises(NotImplementedError):
        on_rows_of_images(_doubled)(Rows(np.zeros((3, 4, 5, 1))), Rows(np.zeros(3)))


@pytest.mark.parametrize(("method", "dtype"), [("nearest", np.uint8), ("area", np.float32)])
def test_of_images_and_batches_mixed_only_the_dtype_is_known(method, dtype):
    images = [np.zeros((4, 5, 3), np.uint8), np.zeros((2, 4, 5, 3), np.uint8)]
    ds = tf.data.Dataset.from_generator(
        lambda: iter(images), output_signature=tf.TensorSpec(None, tf.uint8)
    )

    made = ds.map(lambda image: tf.image.resize(image, (7, 8), method))

    assert made.element_spec == tf.TensorSpec(None, dtype)
    assert [image.shape for image in made] == [(7, 8, 3), (2, 7, 8, 3)]


def test_an_image_has_three_or_four_axes_and_numbers():
    with pytest.raises(BuildError, match=r"f\(\): an image has 3 axes.* got shape \[2, 3\]"):
        images_given("f()", np.zeros((2, 3)))
    with pytest.raises(BuildTypeError, match=r"f\(\): an image is an array of numbers"):
        images_given("f()", "a.jpg")


def test_the_spec_of_an_image_gets_another_size():
    spec = resized_spec(np.zeros((2, 3, 4), np.uint8), 7, None, np.float32)

    assert spec.shape == (7, None, 4)
    assert spec.dtype == np.float32


@pytest.mark.parametrize(("asked", "dtype"), [(None, np.uint8), (np.float32, np.float32)])
def test_the_spec_of_images_and_batches_mixed_is_a_dtype(asked, dtype):
    samples = [np.zeros((4, 5, 3), np.uint8), np.zeros((2, 4, 5, 3), np.uint8)]
    nothing_declared = SimpleNamespace(specs={})
    mixed = Opaque(nothing_declared, 0, "an image", samples, Objects(samples))

    assert resized_spec(mixed, 7, 8, asked) == tf.TensorSpec(None, dtype)
