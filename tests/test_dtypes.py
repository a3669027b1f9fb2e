"""TensorFlow's dtypes, and what their namespace has besides."""

import numpy as np
import pytest

import feedline as tf


def test_functions_that_change_dtypes_are_here_too():
    assert tf.dtypes.cast([1.8], tf.int32).tolist() == [1]
    assert tf.dtypes.saturate_cast([300, -1], tf.uint8).tolist() == [255, 0]
    assert tf.dtypes.complex([1.0], [2.0]).dtype == tf.complex64


def test_a_dtype_says_what_it_holds():
    assert (tf.int8.size, tf.int8.min, tf.int8.max, tf.uint16.limits) == (1, -128, 127, (0, 65535))
    assert tf.float32.is_compatible_with("float32")
    assert tf.dtypes.as_dtype(np.uint8) is tf.uint8


def test_bfloat16_is_the_dtype_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    rows = np.arange(4, dtype=np.float32).reshape(2, 2)
    ds = tf.data.Dataset.from_tensor_slices(rows).map(lambda x: tf.cast(x, tf.bfloat16))

    (batch,) = ds.batch(2)

    assert batch.dtype == tf.bfloat16 == ml_dtypes.bfloat16
    assert tf.as_dtype("bfloat16").is_floating
    assert tf.bfloat16.max > 1e38
    assert tf.cast(batch, tf.float32).tolist() == rows.tolist()


def test_images_become_bfloat16_as_in_tensorflow():
    pytest.importorskip("ml_dtypes")
    image = np.arange(0, 256, 85, dtype=np.uint8).reshape(1, -1, 1)

    half = tf.image.convert_image_dtype(image, tf.bfloat16)

    assert tf.cast(half, tf.float32).ravel().tolist() == [0.0, 0.333984375, 0.66796875, 1.0]
    assert tf.image.convert_image_dtype(half[:, :3], tf.uint8).ravel().tolist() == [0, 85, 171]
