"""Strings with zero bytes at their end, which NumPy's own strings of fixed width lose."""

import numpy as np
import pytest

import feedline as tf

TEXT = b"a\x00"


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (lambda: tf.stack([TEXT, b"b"]), [TEXT, b"b"]),
        (lambda: tf.expand_dims(TEXT, 0), [TEXT]),
        (lambda: tf.fill([2], TEXT), [TEXT, TEXT]),
        (lambda: tf.constant(TEXT, shape=[2]), [TEXT, TEXT]),
        (lambda: tf.pad([TEXT], [[1, 1]]), [b"", TEXT, b""]),
        (lambda: tf.pad([b"b"], [[0, 1]], constant_values=TEXT), [b"b", TEXT]),
    ],
)
def test_single_strings_come_whole_into_arrays(made, wanted):
    assert made().numpy().tolist() == wanted


def test_strings_of_elements_are_stacked_whole():
    ds = tf.data.Dataset.from_tensor_slices([TEXT]).map(lambda x: tf.stack([x, x]))

    assert [x.numpy().tolist() for x in ds] == [[TEXT, TEXT]]


def test_arrays_in_files_come_out_as_tensors(tmp_path):
    np.arange(4.0).tofile(tmp_path / "x")
    mapped = np.memmap(tmp_path / "x", dtype=np.float64)

    assert tf.constant(mapped).numpy().tolist() == [0, 1, 2, 3]
    assert tf.py_function(lambda: mapped, [], tf.float64).shape.as_list() == [4]
