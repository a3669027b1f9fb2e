"""base64 there and back; results are compared with TensorFlow in tests/golden."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.data import Dataset
from feedline.errors import DecodeError


@given(st.binary(max_size=20), st.booleans())
def test_what_is_encoded_is_decoded(data, pad):
    assert tf.io.decode_base64(tf.io.encode_base64(data, pad=pad)) == data


@given(st.binary(max_size=8))
def test_any_bytes_are_base64_or_an_error(data):
    try:
        found = tf.io.decode_base64(data)
    except DecodeError:
        return
    assert tf.io.encode_base64(found)[:-1] == data.rstrip(b"=")[:-1]


def test_blocks_and_arrays_are_done_at_once():
    words = np.array([bytes([i]) * (i % 4) for i in range(100)], object)
    ds = Dataset.from_tensor_slices(words).map(
        lambda w: tf.io.decode_base64(tf.io.encode_base64(w))
    )

    assert list(ds) == words.tolist()
    assert "vectorised" in ds.explain()
    assert tf.io.encode_base64([["a", b"b"]]).shape == (1, 2)


@pytest.mark.parametrize(
    ("text", "what"),
    [(b"Y", "cut short"), (b"//8=", "replace"), (b"YQ=", "at the end"), (b"YQ==\n", "not base64")],
)
def test_what_is_not_base64_is_named(text, what):
    with pytest.raises(DecodeError, match=what):
        tf.io.decode_base64(text)
