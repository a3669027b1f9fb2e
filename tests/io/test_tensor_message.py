import numpy as np
import pytest

import feedline as tf
from feedline.io.tensor_message import TensorProto

VALUES = [
    np.float32([[1, 2], [3, 4]]),
    np.int64(7),
    np.array([b"a", b"bc"], object),
    np.zeros((0, 3), np.uint8),
    np.array([True, False]),
    np.complex64([1 + 2j]),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value.dtype))
def test_values_come_back(value):
    found = tf.make_ndarray(tf.make_tensor_proto(value))

    assert found.dtype == value.dtype
    assert np.array_equal(found, value)


def test_the_message_is_what_parse_tensor_reads():
    message = tf.make_tensor_proto([1, 2], tf.float32)

    assert message.dtype == 1
    assert message.tensor_shape.as_list() == [2]
    assert tf.io.parse_tensor(message.SerializeToString(), tf.float32).numpy().tolist() == [1, 2]
    assert TensorProto.FromString(message.SerializeToString()) == message


def test_of_too_few_values_the_last_is_repeated():
    assert tf.make_ndarray(tf.make_tensor_proto([1, 2], shape=[2, 2])).tolist() == [[1, 2], [2, 2]]
    assert tf.make_ndarray(tf.make_tensor_proto(3, shape=[2])).tolist() == [3, 3]


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({"shape": [2]}, ValueError, "3 values do not make an array of shape"),
        ({"shape": [2], "verify_shape": True}, TypeError, "shape must be that of the values"),
        ({"shape": [4], "allow_broadcast": True}, ValueError, "3 values do not make"),
        ({"shape": [None]}, ValueError, "shape must be known"),
    ],
)
def test_shapes_that_values_cannot_have_are_refused(settings, error, said):
    with pytest.raises(error, match=said):
        tf.make_tensor_proto([1, 2, 3], **settings)


def test_what_is_no_message_is_refused():
    with pytest.raises(TypeError, match="tensor must be a TensorProto"):
        tf.make_ndarray([1])
