"""Text and bytes: what the recorded cases in tests/golden do not say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildTypeError


@given(st.text())
def test_text_comes_back_from_its_bytes(text):
    assert tf.compat.as_text(tf.compat.as_bytes(text)) == text


def test_elements_of_datasets_are_text_too():
    (element,) = tf.data.Dataset.from_tensors(b"caf\xc3\xa9")

    assert tf.compat.as_text(element) == "café"


@pytest.mark.parametrize("name", ["as_bytes", "as_text", "as_str"])
def test_what_is_no_text_is_refused(name):
    with pytest.raises(BuildTypeError, match="bytes_or_text must be str or bytes, got 3"):
        getattr(tf.compat, name)(3)
