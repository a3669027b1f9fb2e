import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError
from tests.image.files import FILES


@pytest.mark.parametrize("function", ["decode_png", "decode_webp"])
def test_a_dtype_that_the_format_does_not_have_is_refused(function):
    with pytest.raises(BuildError, match="dtype must be uint8"):
        getattr(tf.io, function)(FILES["rgb8.png"], dtype=tf.float32)


def test_an_image_has_no_dtype_but_numbers():
    with pytest.raises(BuildTypeError, match="integers or floats, got complex64"):
        tf.io.decode_image(FILES["rgb8.png"], dtype=np.complex64)


def test_a_webp_has_bytes_alone():
    with pytest.raises(BuildError, match="a WebP has dtype uint8"):
        tf.io.decode_image(FILES["lossy.webp"], dtype=tf.float32)


def test_functions_of_io_are_those_of_image():
    assert tf.io.decode_image is tf.image.decode_image
    assert "decode_image" in dir(tf.io)
