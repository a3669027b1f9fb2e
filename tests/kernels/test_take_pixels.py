"""Parts of images, larger or smaller by whole pixels, and mirrored."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.take_pixels import take_pixels, take_pixels_twin

BOTH = pytest.mark.parametrize("take", [take_pixels, take_pixels_twin])
LENGTHS = st.integers(1, 20)
DTYPES = ["u1", "?", "i2", "f2", "i4", "f4", "i8", "f8", "c8"]


@given(
    st.sampled_from(DTYPES),
    st.tuples(st.integers(0, 3), LENGTHS, LENGTHS, st.integers(1, 5)),
    st.tuples(LENGTHS, LENGTHS),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_native_equals_twin(dtype, shape, size, turned, boxed, seed):
    draws = np.random.default_rng(seed)
    images = draws.integers(0, 100, shape).astype(dtype)
    images = images.transpose(0, 2, 1, 3) if turned else images
    count, height, width, _ = images.shape
    sizes = draws.integers(1, [height + 1, width + 1], (count, 2))
    starts = draws.integers(0, [height, width] - sizes + 1)
    boxes = np.concatenate([starts, sizes], 1) if boxed else None
    flips = draws.integers(0, 4, count).astype(np.uint8)

    made = take_pixels(images, size, boxes, flips)
    expected = take_pixels_twin(images, size, boxes, flips)

    assert made.dtype == images.dtype
    assert np.array_equal(made, expected)


@BOTH
def test_images_of_the_same_size_stay_what_they_are(take):
    images = np.arange(24).reshape(1, 2, 4, 3)

    assert np.array_equal(take(images, (2, 4)), images)


@BOTH
@pytest.mark.parametrize("box", [(-1, 0, 2, 2), (3, 0, 2, 2), (0, 0, 2, 7), (0, 2**62, 2, 2)])
def test_a_box_outside_of_the_image_is_refused(take, box):
    with pytest.raises(ValueError, match="outside"):
        take(np.zeros((1, 4, 6, 3), np.uint8), (2, 2), np.array([box], np.int64))


@BOTH
@pytest.mark.parametrize("size", [(0, 2), (2, 0), (-1, 2)])
def test_a_size_below_one_is_refused(take, size):
    with pytest.raises(ValueError, match="at least 1"):
        take(np.zeros((1, 4, 6, 3), np.uint8), size)


@BOTH
def test_images_without_pixels_are_refused(take):
    with pytest.raises(ValueError, match="at least one pixel"):
        take(np.zeros((1, 0, 6, 3), np.uint8), (2, 2))
