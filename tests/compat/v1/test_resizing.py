"""Sizes of images as in TensorFlow 1; the numbers are what TensorFlow 2.21 gives for them."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, InvalidArgumentError

image_v1 = tf.compat.v1.image
IMAGE = np.array([[7, 40, 3, 90], [200, 12, 66, 5], [31, 8, 150, 77]], np.uint8)[..., None]
EXPECTED = {
    (0, False): [[7, 33.4, 17.8, 37.8, 90], [115.5, 31.1, 68.8, 81.2, 41]],
    (1, False): [[7, 7, 40, 3, 90], [200, 200, 12, 66, 5]],
    (2, False): [
        [7, 37.7394, 10.3582, 32.799, 98.3561],
        [133.5938, 19.3819, 72.158, 93.9933, 25.2635],
    ],
    (0, True): [[7, 31.75, 21.5, 24.75, 90], [31, 13.75, 79, 131.75, 77]],
    (1, True): [[7, 40, 3, 3, 90], [31, 8, 150, 150, 77]],
    (2, True): [
        [7, 36.4258, 16.4375, 18.8086, 90],
        [31, -1.7656, 83.6875, 148.4375, 77],
    ],
}


@pytest.mark.parametrize(("method", "aligned"), EXPECTED)
def test_pixels_are_taken_where_tensorflow_1_took_them(method, aligned):
    made = image_v1.resize_images(IMAGE, [2, 5], method, align_corners=aligned)

    assert made.dtype == (np.uint8 if method == 1 else np.float32)
    assert made.shape == (2, 5, 1)
    assert np.allclose(made[..., 0], EXPECTED[method, aligned], atol=1e-4)


@pytest.mark.parametrize(
    ("function", "method"),
    [
        (image_v1.resize_bilinear, image_v1.ResizeMethod.BILINEAR),
        (image_v1.resize_nearest_neighbor, image_v1.ResizeMethod.NEAREST_NEIGHBOR),
        (image_v1.resize_bicubic, image_v1.ResizeMethod.BICUBIC),
        (image_v1.resize_area, image_v1.ResizeMethod.AREA),
    ],
)
def test_every_method_has_a_function_for_batches(function, method):
    made = function([IMAGE, IMAGE[::-1]], [4, 2])

    assert made.shape == (2, 4, 2, 1)
    assert made[0].tolist() == image_v1.resize(IMAGE, [4, 2], method).tolist()


@pytest.mark.parametrize("method", [0, 1, 2, "bilinear", "nearest", "bicubic", "area"])
def test_blocks_varied_sizes_and_single_images_are_the_same(method):
    def smaller(ds):
        return ds.map(lambda x: image_v1.resize(x, (2, 2), method))

    rows = np.arange(72, dtype=np.uint8).reshape(4, 3, 6, 1)
    alike = tf.data.Dataset.from_tensor_slices(rows)
    varied = tf.data.Dataset.range(3, 6).map(lambda n: tf.ones((n, 4, 1)))

    expected = [image_v1.resize(row, (2, 2), method).tolist() for row in rows]
    assert [made.tolist() for made in smaller(alike)] == expected
    assert [made.tolist() for made in smaller(varied)] == [[[[1.0]] * 2] * 2] * 3
    assert smaller(alike).element_spec.shape == (2, 2, 1)


def test_sizes_may_be_known_for_each_element_only():
    ds = tf.data.Dataset.range(1, 3)

    made = [x.shape for x in ds.map(lambda n: image_v1.resize_bilinear([IMAGE], [n, 2 * n])[0])]

    assert made == [(1, 2, 1), (2, 4, 1)]


def test_an_image_of_that_size_stays_as_it_is():
    assert image_v1.resize(IMAGE, [3, 4]).dtype == np.uint8
    assert image_v1.resize_bilinear([IMAGE], [3, 4]).dtype == np.float32


def test_middles_of_pixels_are_what_is_taken_today():
    old = image_v1.resize_bilinear(IMAGE, [2, 5], half_pixel_centers=True)

    assert old.tolist() == tf.image.resize(IMAGE, [2, 5]).tolist()


def test_what_it_cannot_do_is_refused():
    with pytest.raises(BuildError, match=r"keeps no proportions: use tf\.image\.resize"):
        image_v1.resize(IMAGE, [2, 2], preserve_aspect_ratio=True)
    with pytest.raises(BuildError, match="method must be one of bilinear"):
        image_v1.resize(IMAGE, [2, 2], 7)
    with pytest.raises(BuildError, match=r"resize_area\(\): align_corners must be False"):
        image_v1.resize_area(IMAGE, [2, 2], align_corners=True)
    with pytest.raises(BuildError, match=r"resize_bilinear\(\): size must be two integers"):
        image_v1.resize_bilinear(IMAGE, [2])
    with pytest.raises(InvalidArgumentError, match="sizes must be at least 1"):
        image_v1.resize_bilinear(IMAGE, [0, 2])
