import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError

IMAGE = np.random.default_rng(0).integers(0, 256, (6, 7, 3)).astype(np.uint8)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"format": "cmyk"}, "format must be '', 'grayscale' or 'rgb', got 'cmyk'"),
        ({"format": "grayscale"}, r"1 channels, got shape \[6, 7, 3\]"),
        ({"quality": 101}, "between 0 and 100, got 101"),
        ({"density_unit": "m"}, "'in' or 'cm', got 'm'"),
        ({"x_density": 70_000}, r"must fit 16 bits, got \[70000, 300\]"),
        ({"xmp_metadata": "x" * 70_000}, "must fit 65000 bytes, got 70000"),
    ],
)
def test_settings_of_jpeg_that_cannot_be_are_refused(settings, text):
    with pytest.raises(BuildError, match=text):
        tf.io.encode_jpeg(IMAGE, **settings)


@pytest.mark.parametrize("function", ["encode_jpeg", "encode_png"])
def test_floats_are_refused_with_what_converts_them(function):
    with pytest.raises(BuildTypeError, match=r"got float32\. Use image.convert_image_dtype"):
        getattr(tf.io, function)(IMAGE.astype(np.float32))


@pytest.mark.parametrize("function", ["encode_jpeg", "encode_png"])
def test_an_image_without_pixels_is_refused(function):
    with pytest.raises(InvalidArgumentError, match="must have pixels, got 0 x 7"):
        getattr(tf.io, function)(IMAGE[:0])


def test_a_list_of_numbers_is_an_image_of_bytes():
    assert tf.io.decode_png(tf.io.encode_png([[[1, 2, 3]]])).tolist() == [[[1, 2, 3]]]


def test_a_list_of_numbers_that_are_no_bytes_is_refused():
    with pytest.raises(BuildTypeError, match="image must have dtype uint8"):
        tf.io.encode_jpeg([[[1, 2, 300]]])


def test_compression_has_its_bounds():
    with pytest.raises(BuildError, match="between -1 and 9, got 10"):
        tf.io.encode_png(IMAGE, compression=10)


def test_images_are_encoded_in_a_pipeline_also_if_they_differ_in_size():
    images = [IMAGE, IMAGE[:4], IMAGE[:, :2]]
    ds = tf.data.Dataset.from_generator(
        lambda: iter(images), output_signature=tf.TensorSpec((None, None, 3), tf.uint8)
    )

    found = list(ds.map(lambda image: tf.io.encode_png(image)))

    assert all(map(np.array_equal, map(tf.io.decode_png, found), images))


def test_what_is_encoded_can_be_written_to_a_file(tmp_path):
    tf.io.write_file(tmp_path / "a.jpg", tf.io.encode_jpeg(IMAGE))

    assert tf.io.decode_jpeg(tf.io.read_file(tmp_path / "a.jpg")).shape == (6, 7, 3)
