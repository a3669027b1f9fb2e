import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, DecodeError
from tests.image.files import FILES

PLAIN = FILES["s420.jpg"]


@pytest.mark.parametrize("name", ["s444.jpg", "gray.jpg", "progressive.jpg", "cmyk.jpg"])
def test_the_part_is_cut_out_of_the_whole(name):
    found = tf.io.decode_and_crop_jpeg(FILES[name], [3, 5, 6, 7])

    assert np.array_equal(found, tf.io.decode_jpeg(FILES[name])[3:9, 5:12])
    assert found.flags.owndata or found.base.size == found.size


@pytest.mark.parametrize("window", [[0, 0, 14, 17], [-1, 0, 5, 5], [0, 0, 0, 5]])
def test_a_window_outside_the_image_is_shown(window):
    with pytest.raises(DecodeError, match=r"must lie in the image of 13 x 17, got \["):
        tf.io.decode_and_crop_jpeg(PLAIN, window)


def test_a_window_has_four_integers():
    with pytest.raises(BuildError, match=r"four numbers.*got shape \[3\]"):
        tf.io.decode_and_crop_jpeg(PLAIN, [0, 0, 5])
    with pytest.raises(BuildTypeError, match="must be integers, got float64"):
        tf.io.decode_and_crop_jpeg(PLAIN, [0.0, 0.0, 5.0, 5.0])


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"ratio": 3}, "ratio must be 1, 2, 4 or 8, got 3"),
        ({"dct_method": "FLOAT"}, "dct_method must be .* got 'FLOAT'"),
        ({"at_least": (4,)}, "at_least must be a height and a width"),
        ({"at_least": (4, 4), "ratio": 2}, "and ratio be 1 beside it"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, text):
    with pytest.raises(BuildError, match=text):
        tf.io.decode_jpeg(PLAIN, **settings)


def test_at_least_works_in_a_pipeline():
    ds = tf.data.Dataset.from_tensor_slices(np.array([PLAIN, FILES["s444.jpg"]] * 3, object))
    ds = ds.map(lambda data: tf.io.decode_jpeg(data, channels=3, at_least=(5, 5)))

    assert [image.shape for image in ds] == [(7, 9, 3)] * 6


def test_the_shape_of_cmyk_counts_its_inks():
    assert tf.io.extract_jpeg_shape(FILES["cmyk.jpg"]).tolist() == [13, 17, 4]


def test_shapes_are_integers_of_32_or_64_bits():
    with pytest.raises(BuildError, match="int32 or int64, got float32"):
        tf.io.extract_jpeg_shape(PLAIN, output_type=tf.float32)
