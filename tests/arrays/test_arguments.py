"""What array functions take, and what they refuse."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import FeedlineError

REFUSED = [
    (lambda: tf.constant([1, 2], shape=[3]), "shape"),
    (lambda: tf.constant(2.5, tf.int32), "does not become int32"),
    (lambda: tf.constant("x", tf.int32), "does not become int32"),
    (lambda: tf.constant(3, tf.string), "a string is needed"),
    (lambda: tf.constant(None), "an array is needed, got None"),
    (lambda: tf.cast("x", tf.int32), "a string does not become"),
    (lambda: tf.ensure_shape(np.ones(3), [2]), r"must be \(2,\), got \(3,\)"),
    (lambda: tf.unstack(np.ones(3), num=2), "num must be 3"),
    (lambda: tf.concat([1, 2], 0), "scalars have no axis"),
    (lambda: tf.split(np.ones(5), 2), "5 must divide into 2 equal parts"),
    (lambda: tf.split(np.ones(5), [2, 2]), "must have 5 together"),
    (lambda: tf.tile(np.ones((2, 2)), [2]), "multiples must have 2 numbers"),
    (lambda: tf.pad(np.ones(2), [[1, 1]], "WRAP"), "mode must be one of CONSTANT"),
    (lambda: tf.pad(np.ones(2), [1, 1]), "paddings must be 1 pairs"),
    (lambda: tf.range(3, 0), "never reaches 0"),
    (lambda: tf.where([True], [1]), "give both x and y"),
    (lambda: tf.boolean_mask([1, 2], [1, 0]), "must be an array of bools"),
    (lambda: tf.boolean_mask([1, 2], [True]), "must fit the array"),
    (lambda: tf.gather([1, 2], [1.0]), "indices must be integers"),
    (lambda: tf.gather_nd([1, 2], [[2]]), "from 0 to 1"),
    (lambda: tf.slice([1, 2], [1], [2]), "lies outside"),
    (lambda: tf.slice([1, 2], [1, 1], [2]), "must have 1 numbers"),
    (lambda: tf.sort([1], direction="UP"), "ASCENDING or DESCENDING"),
    (lambda: tf.unique([[1]]), "x must be a vector"),
    (lambda: tf.math.top_k([1], 2), "k must be from 0 to 1"),
    (lambda: tf.reduce_all([1]), "must be bool"),
    (lambda: tf.math.reduce_std([1]), "must be floats"),
    (lambda: tf.matmul([1.0], [1.0]), "must be matrices"),
    (lambda: tf.norm([[1.0]], ord=1, axis=[0, 1]), "only the euclidean norm"),
    (lambda: tf.norm([1.0], ord=-1), "ord must be"),
    (lambda: tf.add_n([]), "at least one array"),
    (lambda: tf.math.segment_sum([1, 2], [1, 0]), "must be sorted"),
    (lambda: tf.math.unsorted_segment_sum([1], [3], 2), "ids must be below 2"),
    (lambda: tf.math.bincount([-1]), "must not be negative"),
    (lambda: tf.math.confusion_matrix([5], [0], num_classes=2), "classes must be from 0 to 1"),
    (lambda: tf.meshgrid([1], wrong=2), "unknown arguments"),
    (lambda: tf.einsum("i->", [1], wrong=2), "unknown arguments"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises(FeedlineError, match=message):
        call()


def test_a_python_number_takes_the_dtype_of_the_array_beside_it():
    row = np.ones(2, np.float16)

    assert tf.add(row, 1.5).dtype == tf.float16
    assert tf.add(2, row).dtype == tf.float16
    assert tf.add(row, [1, 2]).dtype == tf.float16
    assert tf.maximum(np.int8(1), 2).dtype == tf.int8


def test_arrays_keep_their_dtype_and_are_promoted_as_numpy_does():
    assert tf.add(np.float32(1), np.float64(1)).dtype == tf.float64
    assert tf.reduce_sum(np.ones(2, np.int8)).dtype == tf.int8


def test_a_constant_is_a_copy():
    array = np.ones(2)
    tf.constant(array)[:] = 5

    assert array.tolist() == [1, 1]


def test_ragged_and_sparse_values_can_be_cast():
    ragged = tf.cast(tf.ragged.constant([[1], [2, 3]]), tf.float32)
    sparse = tf.cast(tf.SparseTensor([[0]], [1], [2]), tf.float32)

    assert ragged.dtype == tf.float32
    assert sparse.values.dtype == tf.float32


def test_tensors_are_numpy_arrays():
    assert isinstance(tf.constant([1]), tf.Tensor)
    assert tf.is_tensor(np.float32(1))
    assert not tf.is_tensor([1])
    assert tf.constant([1, 2])[tf.newaxis].shape == (1, 2)
