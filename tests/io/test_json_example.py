"""Examples written as JSON; results are compared with TensorFlow in tests/golden."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.data import Dataset
from feedline.errors import DecodeError

TEXT = '{"features": {"feature": {"x": {"int64List": {"value": [1, "2"]}}}}}'


def test_records_of_a_block_go_on_to_be_parsed():
    ds = Dataset.from_tensor_slices(np.array([TEXT.encode()] * 50, object))
    features = {"x": tf.io.FixedLenFeature([2], tf.int64)}
    ds = ds.map(lambda t: tf.io.parse_single_example(tf.io.decode_json_example(t), features)["x"])

    assert np.array_equal(np.stack(list(ds)), [[1, 2]] * 50)
    assert "vectorised" in ds.explain()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (TEXT[:-1], "is no JSON"),
        ("[]", "the Example must hold an object"),
        ('{"f": 1}', "no field 'f'. It has: features"),
        (TEXT.replace("1", "1.5"), "feature 'x' must hold integers, got 1.5"),
        (TEXT.replace("1", "true"), "must hold integers, got True"),
        (TEXT.replace("[1,", "[9223372036854775808,"), "integers of 64 bits"),
        (TEXT.replace('[1, "2"]', "3"), "must hold a list"),
        (TEXT.replace("int64List", "bytesList"), "must hold base64, got 1"),
        (TEXT.replace("int64List", "floatList").replace('"2"', '"x"'), "numbers, got 'x'"),
        (TEXT.replace('{"int64List"', '{"floatList": {}, "int64List"'), "may have one list"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_a_mistake_is_named(text, what):
    with pytest.raises(DecodeError, match=what):
        tf.io.decode_json_example(text)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=3), st.lists))
def test_any_values_are_numbers_or_an_error(value):
    text = TEXT.replace('"2"', repr(value).replace("'", '"'))
    try:
        found = tf.io.decode_json_example(text)
    except DecodeError:
        return
    assert tf.train.Example.FromString(found).features.feature["x"].int64_list.value[0] == 1
