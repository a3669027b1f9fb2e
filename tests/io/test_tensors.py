"""Tensors as byte strings; results are compared with TensorFlow in tests/golden."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import feedline as tf
from feedline.data import Dataset
from feedline.errors import DecodeError, FeedlineError
from feedline.graph.same import same_leaves

DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


@given(st.sampled_from(DTYPES).flatmap(lambda d: hnp.arrays(d, hnp.array_shapes(min_side=0))))
def test_what_is_serialized_is_parsed(array):
    assert same_leaves(tf.io.parse_tensor(tf.io.serialize_tensor(array), array.dtype), array)


@given(st.lists(st.binary(max_size=4)))
def test_strings_are_parsed(texts):
    array = np.empty(len(texts), object)
    array[:] = texts

    assert tf.io.parse_tensor(tf.io.serialize_tensor(array), tf.string).tolist() == texts


@given(st.binary(max_size=60), st.sampled_from([tf.float32, tf.int16, tf.string, tf.complex64]))
def test_any_bytes_are_a_tensor_or_an_error(data, dtype):
    try:
        found = tf.io.parse_tensor(b"\x08\x01" + data, dtype)
    except DecodeError:
        return
    assert np.asarray(found).size < 1 << 31


@pytest.mark.parametrize("dtype", ["f4", "i8", "?", "c8"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (0,)])
def test_blocks_are_serialized_at_once(dtype, shape):
    arrays = np.arange(100 * int(np.prod(shape))).reshape(100, *shape).astype(dtype)
    ds = Dataset.from_tensor_slices(arrays).map(tf.io.serialize_tensor)

    assert list(ds) == [tf.io.serialize_tensor(row) for row in arrays]
    assert ds.element_spec == tf.TensorSpec((), tf.string)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: tf.io.parse_tensor(tf.io.serialize_tensor(1.5), tf.int32), "has dtype float32"),
        (lambda: tf.io.parse_tensor(b"\x0f", tf.int32), "byte 0 of 1"),
        (lambda: tf.io.parse_tensor(b"", tf.int32), "no dtype"),
        (lambda: tf.io.parse_tensor(b"\x08\x01\x12\x02\x18\x01", tf.float32), "shape is unknown"),
        (lambda: tf.io.parse_tensor([b"a"], tf.int32), r"an array of shape \(1,\)"),
        (lambda: tf.io.serialize_tensor(np.array(["2020"], "M8[s]")), "no TensorProto of dtype"),
    ],
)
def test_a_mistake_is_named(call, what):
    with pytest.raises(FeedlineError, match=what):
        call()


def test_arrays_of_fixed_width_strings_and_of_another_byte_order_are_serialized_as_their_values():
    texts = tf.io.parse_tensor(tf.io.serialize_tensor(np.array([b"a", b"bc"])), tf.string)
    numbers = tf.io.parse_tensor(tf.io.serialize_tensor(np.array([1, 2], ">i4")), tf.int32)

    assert texts.tolist() == [b"a", b"bc"]
    assert numbers.tolist() == [1, 2]
