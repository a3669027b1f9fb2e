"""type_spec_from_value: what a value is, directly and inside functions."""

import numpy as np
import pytest

import feedline as tf


@pytest.mark.parametrize(
    ("value", "spec"),
    [
        ([1, 2], tf.TensorSpec([2], tf.int32)),
        (3, tf.TensorSpec([], tf.int32)),
        ("a", tf.TensorSpec([], tf.string)),
        (np.zeros((2, 3)), tf.TensorSpec([2, 3], tf.float64)),
    ],
)
def test_of_arrays(value, spec):
    assert tf.type_spec_from_value(value) == spec


def test_of_other_values():
    ragged = tf.type_spec_from_value(tf.ragged.constant([[1], []]))

    assert ragged == tf.RaggedTensorSpec([2, None], tf.int32, 1)
    assert tf.type_spec_from_value(tf.data.Dataset.range(2)).element_spec == tf.TensorSpec(
        [], tf.int64
    )
    with pytest.raises(TypeError, match="is no array, number"):
        tf.type_spec_from_value(object())


def test_inside_a_function():
    def clipped(image):
        dtype = tf.type_spec_from_value(image).dtype
        doubled = tf.cast(image, tf.float32) * 2
        return tf.cast(tf.clip_by_value(doubled, dtype.min, dtype.max), dtype)

    ds = tf.data.Dataset.from_tensor_slices(np.arange(0, 200, 5, dtype=np.uint8)).map(clipped)

    assert [x.numpy() for x in ds] == [min(2 * n, 255) for n in range(0, 200, 5)]
    assert next(iter(ds)).dtype == np.uint8
