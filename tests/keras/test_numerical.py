"""Labels and sequences as arrays: what the recorded cases in tests/golden do not say."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError

utils = tf.keras.utils


def test_labels_of_arrays_are_arrays_and_those_of_tensors_are_tensors():
    of_array = utils.to_categorical(np.array([1]), 2)
    of_tensor = utils.to_categorical(tf.constant([[1]]), 2)

    assert type(of_array) is np.ndarray
    assert of_array.dtype == np.float64
    assert isinstance(of_tensor, tf.Tensor)
    assert of_tensor.dtype == tf.float32
    assert of_tensor.tolist() == [[0, 1]]


def test_labels_that_are_too_large_are_refused():
    with pytest.raises(BuildError, match="from 0 to num_classes - 1, which is 1, got 0 to 2"):
        utils.to_categorical([0, 2], 2)
    with pytest.raises(BuildError, match="num_classes must be given for a tensor"):
        utils.to_categorical(tf.constant([1]))


def test_only_arrays_are_normalized():
    with pytest.raises(BuildTypeError, match=r"Use np\.asarray"):
        utils.normalize([3.0, 4.0])


def test_sequences_are_cut_where_it_was_asked():
    rows = [[1, 2, 3], [4]]

    assert utils.pad_sequences(rows, 2, truncating="post", padding="post").tolist() == [
        [1, 2],
        [4, 0],
    ]


@pytest.mark.parametrize(
    ("rows", "settings", "text"),
    [
        ([[1]], {"padding": "left"}, "padding must be 'pre' or 'post', got 'left'"),
        ([[1], 2], {}, "sequences must be lists or arrays, one is 2"),
        ([[1]], {"value": "x"}, "does not fit dtype int32. Use dtype=object"),
        ([[[1]], [[1, 2]]], {}, r"must have one shape: \(1,\) came first"),
    ],
)
def test_sequences_that_do_not_fit_are_refused(rows, settings, text):
    with pytest.raises(BuildError, match=text):
        utils.pad_sequences(rows, **settings)
