"""Means added up by halves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from feedline.kernels.halved_means import halved_means, halved_means_twin

BOTH = pytest.mark.parametrize("means_of", [halved_means, halved_means_twin])
SHAPES = st.tuples(st.integers(1, 3), st.integers(1, 70), st.integers(1, 5))


@given(arrays.arrays(np.uint8, SHAPES))
def test_native_equals_twin(images):
    made = halved_means(images)

    assert made.shape == (len(images), images.shape[2])
    assert made.tolist() == halved_means_twin(images).tolist()


@given(arrays.arrays(np.uint8, SHAPES))
def test_means_are_added_up_by_halves(images):
    for image, means in zip(images, halved_means(images), strict=True):
        sums = [pixel.astype(np.float32) * np.float32(1 / 255) for pixel in image]
        while len(sums) > 1:
            right = len(sums) // 2
            left = len(sums) - right
            added = [a + b for a, b in zip(sums[:right], sums[left:], strict=True)]
            sums = added + sums[right:left]
        assert means.tolist() == (sums[0] * (np.float32(1) / np.float32(len(image)))).tolist()


@given(arrays.arrays(np.float32, SHAPES, elements=st.floats(0, 1, width=32)))
def test_floats_have_their_mean(images):
    assert np.allclose(halved_means(images), images.mean(axis=1, dtype=np.float64), atol=1e-6)


@BOTH
@pytest.mark.parametrize("shape", [(1, 0, 3), (2, 4, 0)])
def test_images_without_pixels_are_refused(means_of, shape):
    with pytest.raises(ValueError, match="must have pixels"):
        means_of(np.zeros(shape, np.uint8))


@BOTH
def test_the_images_given_are_not_changed(means_of):
    images = np.ones((1, 4, 3), np.float32)

    means_of(images)

    assert (images == 1).all()
