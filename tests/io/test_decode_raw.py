"""decode_raw on whole blocks; what it gives is compared with TensorFlow in tests/golden."""

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.testing import assert_same_elements

WORDS = np.array([bytes(range(2 * (i % 5))) for i in range(200)], object)


@pytest.mark.parametrize("dtype", [tf.uint8, tf.int16, tf.bool, np.float16])
@pytest.mark.parametrize("fixed_length", [None, 8, 4])
@pytest.mark.parametrize("little_endian", [True, False])
def test_a_block_gives_what_single_strings_give(dtype, fixed_length, little_endian):
    def fn(text):
        return tf.io.decode_raw(text, dtype, little_endian, fixed_length)

    ds = Dataset.from_tensor_slices(WORDS).map(fn)

    assert_same_elements(list(ds), [fn(text) for text in WORDS])
    assert "vectorised" in ds.explain()


def test_images_of_one_size_are_reshaped_as_whole_blocks():
    images = np.random.default_rng(0).integers(0, 256, (100, 12), np.uint8)
    ds = Dataset.from_tensor_slices(np.array([row.tobytes() for row in images], object))
    ds = ds.map(lambda t: tf.reshape(tf.io.decode_raw(t, tf.uint8, fixed_length=12), [3, 4]))

    assert np.array_equal(np.stack(list(ds)), images.reshape(-1, 3, 4))
    assert "vectorised" in ds.explain()


def test_what_it_gives_can_be_changed():
    numbers = tf.io.decode_raw(b"ab", tf.uint8)
    numbers[0] = 0

    assert numbers.tolist() == [0, 98]


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: tf.io.decode_raw(b"abc", tf.int16), "3 bytes are not a multiple of the 2"),
        (lambda: tf.io.decode_raw([b"ab", b"a"], tf.uint8), "lengths from 1 to 2"),
        (lambda: tf.io.decode_raw(b"ab", tf.int16, fixed_length=3), "multiple of the 2 bytes"),
        (lambda: tf.io.decode_raw(b"ab", tf.int16, fixed_length=0), "at least 1, got 0"),
        (lambda: tf.io.decode_raw(b"ab", tf.string), "a dtype of numbers"),
        (lambda: tf.io.decode_raw(3, tf.uint8), "input_bytes must be strings"),
    ],
)
def test_a_mistake_is_named(call, what):
    with pytest.raises(ValueError, match=what):
        call()
