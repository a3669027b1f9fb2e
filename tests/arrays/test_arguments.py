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
    (lambda: tf.reshape([1, 2], [2.0]), r"integers are needed, got \[2.0\]"),
    (lambda: tf.scatter_nd([[3]], [1], [2]), r"\[3\] lies outside of the shape \(2,\)"),
    (lambda: tf.scatter_nd([[0]], [1, 2], [2]), r"must have the shape \(1,\), got \(2,\)"),
    (lambda: tf.scatter_nd([0.5], 1, [2]), "indices must be integers"),
    (lambda: tf.tensor_scatter_nd_add([1], [[0]], [1], "SKIP"), "must be ERROR or IGNORE"),
    (lambda: tf.dynamic_partition([1, 2], [0], 2), "must fit the data"),
    (lambda: tf.dynamic_stitch([[0]], []), "lists of one length"),
    (lambda: tf.reverse_sequence([[1, 2]], [1]), "seq_axis must be given"),
    (lambda: tf.reverse_sequence([[1, 2]], [1], 0), "are both 0"),
    (lambda: tf.unravel_index(4, [2, 2]), "from 0 to 3, got 4"),
    (lambda: tf.histogram_fixed_width([1.0], [1.0, 0.0]), "value_range must rise"),
    (lambda: tf.histogram_fixed_width([1.0], [0.0, 1.0], 0), "nbins must be at least 1"),
    (lambda: tf.bitcast(["a"], tf.int32), "numbers are needed, not object"),
    (lambda: tf.bitwise.bitwise_and(1.5, 2), "integers are needed, got"),
    (lambda: tf.bitwise.invert([True]), "integers are needed, got bool"),
    (lambda: tf.complex([1], [2]), "float32 or float64 is needed, got int32"),
    (lambda: tf.clip_by_global_norm(3.0, 1.0), "t_list must be a list of arrays"),
    (lambda: tf.scan(3, [[1]]), "fn must be callable"),
    (lambda: tf.scan(max, np.zeros(0)), "must not be empty"),
    (lambda: tf.foldl(max, (np.ones(2), np.ones(3))), r"one length, got \[2, 3\]"),
    (lambda: tf.debugging.Assert(False, ["row", 3]), "Data: 'row', 3"),
    (lambda: tf.debugging.Assert(True, "row"), "data must be a list"),
    (lambda: tf.linalg.inv([1.0]), "matrices are needed, got the shape"),
    (lambda: tf.linalg.solve([[0.0]], [[1.0]]), r"solve\(\): Singular matrix"),
    (lambda: tf.linalg.diag([1, 2], k=(0, 1)), "k must be one integer"),
    (lambda: tf.nn.max_pool([[[1.0]]], 2, 1, "FULL"), "padding must be SAME, VALID or pairs"),
    (lambda: tf.nn.max_pool([[[1.0]]], 2, 1, "SAME", "NCW"), "channels must be the last axis"),
    (lambda: tf.nn.avg_pool([[[1]]], 2, 1, "SAME"), "floats are needed, got int32"),
    (lambda: tf.nn.conv2d([[1.0]], [[[[1.0]]]], 1, "SAME"), "an array of 4 axes is needed"),
    (lambda: tf.nn.space_to_depth(np.ones((1, 3, 3, 1)), 2), "do not divide into blocks of 2"),
    (lambda: tf.nn.embedding_lookup([np.ones((2, 2))] * 2, [0]), "must be one table"),
    (lambda: tf.signal.frame([1, 2], 0, 1), "frame_length must be at least 1, got 0"),
    (lambda: tf.signal.stft([1, 2], 2, 1), "float32 or float64 is needed, got int32"),
    (lambda: tf.signal.rfft([1.0], [2, 3]), "fft_length must be 1 integers"),
    (lambda: tf.signal.dct([1.0], type=5), "type must be 1 to 4"),
    (lambda: tf.signal.hann_window(4, dtype=tf.int32), "must be a float dtype, got int32"),
    (lambda: tf.math.polyval(3.0, 1.0), "coeffs must be a list"),
    (lambda: tf.case([(True, int)] * 2, exclusive=True), "2 conditions are true"),
    (lambda: tf.cond([True, False], int, int), "a condition must be a scalar"),
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


def test_bad_indices_can_be_left_out():
    found = tf.scatter_nd([[3], [0]], [1, 2], [2], bad_indices_policy="IGNORE")

    assert found.tolist() == [2, 0]


def test_a_condition_of_a_recorded_case_is_checked():
    ds = tf.data.Dataset.range(2).map(
        lambda x: tf.case([(x >= 0, lambda: 1), (x >= 1, lambda: 2)], exclusive=True)
    )

    with pytest.raises(FeedlineError, match="2 conditions are true"):
        list(ds)


def test_a_long_scan_runs_as_plain_python():
    rows = np.ones((4, 300), np.int64)
    ds = tf.data.Dataset.from_tensor_slices(rows).map(lambda x: tf.scan(lambda a, b: a + b, x))

    assert [int(row[-1]) for row in ds] == [300] * 4
    assert "300 slices" in ds.explain()


@pytest.mark.parametrize("call", ["divide_no_nan", "multiply_no_nan", "xlogy", "xlog1py", "xdivy"])
def test_a_python_number_beside_an_array_has_its_dtype(call):
    function = getattr(tf.math, call)
    array = tf.constant([1.0, 2.0])

    assert function(array, 0.5).dtype == tf.float32
    assert function(0.5, array).dtype == tf.float32
    made = tf.data.Dataset.from_tensors(array).map(lambda x: function(x, 2))
    assert made.element_spec == tf.TensorSpec([2], tf.float32)


def test_a_slice_may_have_a_size_that_differs_between_elements():
    rows = tf.data.Dataset.from_tensor_slices(np.arange(12).reshape(3, 4))
    ds = rows.map(lambda x: tf.slice(x, [1], [1 + x[0] // 4]))

    assert [row.numpy().tolist() for row in ds] == [[1], [5, 6], [9, 10, 11]]
    assert "slice() has a length that depends on values" in ds.explain()
