"""Images of another size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, InvalidArgumentError
from feedline.image.resizing import ResizeMethod, resize, resize_with_pad

LENGTHS = st.integers(1, 12)
METHODS = [value for name, value in vars(ResizeMethod).items() if name.isupper()]
BYTES = np.random.default_rng(0).integers(0, 256, (6, 9, 3)).astype(np.uint8)


def naive_bilinear(image, height, width):
    """Every pixel by itself, in double precision."""
    out = np.empty((height, width, image.shape[2]))
    for y in range(height):
        for x in range(width):
            at_y = np.clip((y + 0.5) * image.shape[0] / height - 0.5, 0, image.shape[0] - 1)
            at_x = np.clip((x + 0.5) * image.shape[1] / width - 0.5, 0, image.shape[1] - 1)
            top, left = int(at_y), int(at_x)
            bottom, right = min(top + 1, image.shape[0] - 1), min(left + 1, image.shape[1] - 1)
            above = image[top, left] * (1 - at_x + left) + image[top, right] * (at_x - left)
            below = image[bottom, left] * (1 - at_x + left) + image[bottom, right] * (at_x - left)
            out[y, x] = above * (1 - at_y + top) + below * (at_y - top)
    return out


@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS, st.integers(1, 4), st.integers(0, 2**32))
def test_bilinear_is_what_a_naive_loop_gives(height, width, new_height, new_width, channels, seed):
    image = np.random.default_rng(seed).integers(0, 256, (height, width, channels))
    image = image.astype(np.uint8)

    made = resize(image, (new_height, new_width))

    assert made.dtype == np.float32
    assert np.allclose(made, naive_bilinear(image, new_height, new_width), atol=1e-3)


@settings(max_examples=20)
@given(st.sampled_from(METHODS), st.booleans(), LENGTHS, LENGTHS, st.integers(0, 2**32))
def test_a_batch_is_its_images_one_by_one(method, antialias, height, width, seed):
    images = np.random.default_rng(seed).normal(size=(3, 5, 7, 2)).astype(np.float32)

    made = resize(images, (height, width), method, antialias=antialias)

    for image, expected in zip(images, made, strict=True):
        assert np.array_equal(resize(image, (height, width), method, antialias=antialias), expected)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("antialias", [False, True])
def test_a_map_gives_what_the_function_gives(method, antialias):
    images = np.stack([BYTES, BYTES[::-1], BYTES[:, ::-1]] * 20)
    mapped = tf.data.Dataset.from_tensor_slices(images).map(
        lambda image: resize(image, (4, 5), method, antialias=antialias)
    )

    for image, made in zip(images, mapped, strict=True):
        assert np.array_equal(made, resize(image, (4, 5), method, antialias=antialias))


def test_views_of_any_layout_are_resized():
    turned = BYTES.transpose(1, 0, 2)

    assert np.array_equal(resize(turned[::-1], (3, 3)), resize(turned[::-1].copy(), (3, 3)))


def test_lists_are_images_too():
    assert resize([[[1.0], [3.0]]], [1, 1]).tolist() == [[[2.0]]]


def test_a_size_that_differs_between_elements_is_done_one_by_one():
    sizes = np.array([[2, 3], [4, 1]] * 40, np.int32)
    made = list(tf.data.Dataset.from_tensor_slices(sizes).map(lambda size: resize(BYTES, size)))

    assert [image.shape for image in made[:2]] == [(2, 3, 3), (4, 1, 3)]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: resize(BYTES[0], (2, 2)), BuildError, r"got shape \[9, 3\]"),
        (lambda: resize(BYTES, (2, 2, 2)), BuildError, "size must be two integers"),
        (lambda: resize(BYTES, 2), BuildError, "size must be two integers"),
        (lambda: resize(BYTES, (0, 2)), InvalidArgumentError, "at least 1"),
        (lambda: resize(BYTES[:0], (2, 2)), InvalidArgumentError, "must have pixels"),
        (lambda: resize(BYTES, (2, 2), "cubic"), BuildError, "method must be one of bilinear"),
        (lambda: resize(BYTES > 1, (2, 2)), InvalidArgumentError, "must hold numbers"),
        (lambda: resize_with_pad(BYTES, 0, 2), BuildError, "target_height must be at least 1"),
        (lambda: resize_with_pad(BYTES, 2, 2, "cubic"), BuildError, "method must be one of"),
    ],
)
def test_what_cannot_be_resized_is_told(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_padding_keeps_the_proportions():
    made = resize_with_pad(np.ones((2, 8, 1), np.uint8), 8, 8)

    assert made[..., 0].any(axis=1).tolist() == [False] * 3 + [True] * 2 + [False] * 3
