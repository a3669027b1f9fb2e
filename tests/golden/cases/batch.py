"""batch: batch, unbatch, rebatch, ragged_batch, sparse_batch."""

from collections import namedtuple

import numpy as np

from tests.golden.case import each, spec_of_results

Point = namedtuple("Point", ["x", "y"])


@each(n=[0, 1, 5, 6], size=[1, 2, 3, 10], drop=[False, True])
def case_batch(tf, n, size, drop):
    return tf.data.Dataset.range(n).batch(size, drop_remainder=drop)


@each(drop=[False, True])
def case_batch_parallel(tf, drop):
    return tf.data.Dataset.range(7).batch(
        3, drop_remainder=drop, num_parallel_calls=2, deterministic=True
    )


def case_batch_arrays(tf):
    return tf.data.Dataset.from_tensor_slices(np.arange(12.0).reshape(3, 2, 2)).batch(2)


def case_batch_structures(tf):
    ds = tf.data.Dataset.from_tensor_slices(
        ({"a": [1, 2, 3]}, Point(["x", "y", "zz"], [[1.0], [2.0], [3.0]]))
    )
    return ds.batch(2)


def case_batch_twice(tf):
    return tf.data.Dataset.range(12).batch(2).batch(3)


def case_batch_twice_drop(tf):
    return tf.data.Dataset.range(13).batch(2, drop_remainder=True).batch(4, drop_remainder=True)


def case_batch_twice_ragged_end(tf):
    return tf.data.Dataset.range(5).batch(2).batch(2)


def case_batch_zero_size(tf):
    return tf.data.Dataset.from_tensor_slices(np.zeros((3, 0), np.float32)).batch(2)


@each(dtype=["bool", "uint8", "float16", "complex64"])
def case_batch_dtype(tf, dtype):
    return tf.data.Dataset.from_tensor_slices(np.array([0, 1, 1], dtype)).batch(2)


def case_batch_strings(tf):
    return tf.data.Dataset.from_tensor_slices([b"a", b"\xff\x00", b""]).batch(2)


def case_batch_unicode(tf):
    return tf.data.Dataset.from_tensor_slices(["é", "日本"]).batch(2)


def case_batch_size_numpy(tf):
    return tf.data.Dataset.range(4).batch(np.int64(3))


def case_batch_ragged_rows(tf):
    ds = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[[1], [2, 3]], [[4]], [[]]]))
    return ds.batch(2)


def case_batch_sparse_rows(tf):
    value = tf.sparse.SparseTensor([[0, 1], [2, 0]], np.array([5, 6], np.int64), [3, 2])
    return tf.data.Dataset.from_tensor_slices(value).batch(2)


def case_batch_windows(tf):
    ds = tf.data.Dataset.range(6).window(2)
    return ds.flat_map(lambda w: w.batch(2))


def case_batch_infinite(tf):
    return tf.data.Dataset.range(3).repeat().batch(4).take(3)


def case_batch_unequal_shapes(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1], [2], [3, 4], [5]]), output_signature=tf.TensorSpec((None,), np.int32)
    )
    return ds.batch(2)


def case_batch_varying_lengths_that_agree(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1], [2], [3, 4], [5, 6], [7]]),
        output_signature=tf.TensorSpec((None,), np.int32),
    )
    return ds.batch(2)


@each(size=[0, -1])
def case_batch_bad_size(tf, size):
    return tf.data.Dataset.range(3).batch(size)


def case_batch_size_not_an_integer(tf):
    return tf.data.Dataset.range(3).batch(2.5)


def case_unbatch(tf):
    return tf.data.Dataset.range(5).batch(2).unbatch()


def case_unbatch_structures(tf):
    ds = tf.data.Dataset.from_tensor_slices(({"a": [[1, 2], [3, 4]]}, [[b"x", b"y"], [b"z", b"w"]]))
    return ds.unbatch()


def case_unbatch_matrices(tf):
    return tf.data.Dataset.from_tensor_slices(np.arange(12).reshape(2, 3, 2)).unbatch()


def case_unbatch_of_varying_lengths(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1], [], [2, 3]]), output_signature=tf.TensorSpec((None,), np.int32)
    )
    return ds.unbatch()


def case_unbatch_ragged(tf):
    return tf.data.Dataset.from_tensors(tf.ragged.constant([[1], [2, 3]])).unbatch()


def case_unbatch_batch(tf):
    return tf.data.Dataset.range(7).batch(3).unbatch().batch(2)


def case_unbatch_empty(tf):
    return tf.data.Dataset.range(0).batch(2).unbatch()


def case_unbatch_scalars(tf):
    return tf.data.Dataset.range(3).unbatch()


def case_unbatch_unequal_components(tf):
    return tf.data.Dataset.from_tensors(([1, 2], [1, 2, 3])).unbatch()


@each(size=[1, 2, 3, 5, 20], drop=[False, True])
def case_rebatch(tf, size, drop):
    return tf.data.Dataset.range(10).batch(4).rebatch(size, drop_remainder=drop)


@each(sizes=[[3, 2], [1], [2, 0, 3], [5, 1, 1], [4, 4, 4]], drop=[False, True])
def case_rebatch_list(tf, sizes, drop):
    return tf.data.Dataset.range(10).batch(4).rebatch(sizes, drop_remainder=drop)


def case_rebatch_static(tf):
    return tf.data.Dataset.range(12).batch(6, drop_remainder=True).rebatch(3)


def case_rebatch_static_drop(tf):
    return tf.data.Dataset.range(12).batch(6, drop_remainder=True).rebatch(4, drop_remainder=True)


def case_rebatch_structures(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": np.arange(5), "b": np.arange(10).reshape(5, 2)})
    return ds.batch(2).rebatch(3)


def case_rebatch_strings(tf):
    return tf.data.Dataset.from_tensor_slices([b"a", b"b", b"c"]).batch(2).rebatch(3)


# No case of rebatch() with a bad size: 0 gives empty batches without end in tf.data, and a
# negative size crashes TensorFlow.


def _rows(tf, *lengths):
    def gen():
        for start, length in enumerate(lengths):
            yield np.arange(start * 10, start * 10 + length, dtype=np.int32)

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((None,), np.int32))


@each(size=[1, 2, 10], drop=[False, True])
def case_ragged_batch(tf, size, drop):
    return _rows(tf, 2, 0, 3, 1, 4).ragged_batch(size, drop_remainder=drop)


def case_ragged_batch_int32_splits(tf):
    return _rows(tf, 2, 1).ragged_batch(2, row_splits_dtype=np.int32)


def case_ragged_batch_scalars(tf):
    return tf.data.Dataset.range(3).ragged_batch(2)


def case_ragged_batch_fixed_shape(tf):
    return tf.data.Dataset.from_tensor_slices(np.arange(6).reshape(3, 2)).ragged_batch(2)


def case_ragged_batch_matrices(tf):
    def gen():
        yield np.ones((1, 2), np.float32)
        yield np.ones((3, 2), np.float32)

    ds = tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((None, 2), np.float32))
    return ds.ragged_batch(2)


def case_ragged_batch_matrices_both_vary(tf):
    def gen():
        yield np.ones((1, 2), np.float32)
        yield np.ones((2, 1), np.float32)

    ds = tf.data.Dataset.from_generator(
        gen, output_signature=tf.TensorSpec((None, None), np.float32)
    )
    return ds.ragged_batch(2)


def case_ragged_batch_structures(tf):
    ds = tf.data.Dataset.zip({"rows": _rows(tf, 1, 2, 0), "label": tf.data.Dataset.range(3)})
    return ds.ragged_batch(2)


def case_ragged_batch_strings(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[b"a", b"b"], [], [b"c"]]),
        output_signature=tf.TensorSpec((None,), tf.string),
    )
    return ds.ragged_batch(3)


def case_ragged_batch_of_ragged(tf):
    ds = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[[1], [2, 3]], [], [[4]]]))
    return ds.ragged_batch(2)


def case_ragged_batch_then_unbatch(tf):
    return _rows(tf, 2, 0, 3).ragged_batch(2).unbatch()


def case_dense_to_ragged_batch(tf):
    return _rows(tf, 2, 0, 3).apply(tf.data.experimental.dense_to_ragged_batch(2))


def case_dense_to_ragged_batch_drop(tf):
    return _rows(tf, 2, 0, 3).apply(
        tf.data.experimental.dense_to_ragged_batch(2, drop_remainder=True)
    )


def case_sparse_batch(tf):
    return _rows(tf, 2, 0, 3).sparse_batch(2, row_shape=[4])


def case_sparse_batch_unknown_row(tf):
    return _rows(tf, 2, 0, 3).sparse_batch(2, row_shape=[None])


def case_sparse_batch_matrices(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(8).reshape(2, 2, 2))
    return ds.sparse_batch(2, row_shape=[2, 3])


def case_sparse_batch_strings(tf):
    return tf.data.Dataset.from_tensor_slices([[b"a", b"b"], [b"c", b""]]).sparse_batch(3, [3])


def case_sparse_batch_too_long(tf):
    return _rows(tf, 2, 5).sparse_batch(2, row_shape=[4])


@spec_of_results
def case_map_then_batch(tf):
    return tf.data.Dataset.range(7).map(lambda x: (x, x * 2)).batch(3)


def case_batch_then_map(tf):
    return tf.data.Dataset.range(7).batch(3).map(lambda b: b * 2)


def _ragged_rows(tf):
    return tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1, 2], [], [3], [4, 5, 6]]))


@each(size=[1, 2, 3], drop=[False, True])
def case_batch_rows_of_a_ragged_tensor(tf, size, drop):
    return _ragged_rows(tf).batch(size, drop_remainder=drop)


def case_batch_shuffled_rows_of_a_ragged_tensor(tf):
    return _ragged_rows(tf).shuffle(4, seed=1).batch(2)


def case_batch_ragged_rows_beside_others(tf):
    ragged = tf.ragged.constant([[1, 2], [], [3]])
    return tf.data.Dataset.from_tensor_slices({"r": ragged, "y": [1, 2, 3]}).enumerate().batch(2)


def case_batch_ragged_rows_of_equal_length(tf):
    return tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2]])).batch(2)


def case_batch_ragged_rows_twice(tf):
    return _ragged_rows(tf).batch(2).batch(2)


def case_batch_ragged_rows_of_batches(tf):
    return _ragged_rows(tf).batch(2).unbatch().batch(3)


def case_batch_ragged_rows_of_matrices(tf):
    ragged = tf.RaggedTensor.from_row_lengths(np.arange(6).reshape(3, 2), [1, 2])
    return tf.data.Dataset.from_tensor_slices(ragged).batch(2)


def case_batch_ragged_rows_in_a_window(tf):
    return _ragged_rows(tf).window(3, shift=1).flat_map(lambda w: w.batch(3))


def case_batch_ragged_rows_in_a_group(tf):
    ds = tf.data.Dataset.zip(_ragged_rows(tf), tf.data.Dataset.range(4))
    return ds.group_by_window(lambda _, n: n % 2, lambda _, w: w.batch(2), 2)


def case_batch_ragged_rows_after_a_function(tf):
    return _ragged_rows(tf).map(lambda x: x).batch(2)


def case_batch_chosen_ragged_rows(tf):
    choice = tf.data.Dataset.range(6).map(lambda x: x % 2)
    both = [_ragged_rows(tf), _ragged_rows(tf).skip(1)]
    return tf.data.Dataset.choose_from_datasets(both, choice).batch(2)


def case_ragged_batch_of_ragged_rows(tf):
    return _ragged_rows(tf).ragged_batch(3)


def case_rebatch_ragged_rows(tf):
    return _ragged_rows(tf).batch(2).rebatch(3)


def case_unbatch_none(tf):
    return tf.data.Dataset.range(4).map(lambda x: (x, None)).batch(3).unbatch()


def case_rebatch_none(tf):
    return tf.data.Dataset.range(4).map(lambda x: (x, None)).batch(2).rebatch(3)


def case_unbatch_sparse(tf):
    value = tf.sparse.SparseTensor([[0, 1], [2, 0]], np.array([5, 6], np.int64), [3, 2])
    return tf.data.Dataset.from_tensors(value).unbatch()


def case_unbatch_sparse_beside_an_array(tf):
    value = tf.sparse.SparseTensor([[0, 1], [2, 0]], np.array([5, 6], np.int64), [3, 2])
    return tf.data.Dataset.from_tensors((value, np.arange(3))).unbatch()


def case_unbatch_sparse_vectors(tf):
    value = tf.sparse.SparseTensor([[1]], np.array([5], np.int64), [3])
    return tf.data.Dataset.from_tensors(value).unbatch()


@each(drop=[0, 2, -1, "yes", [True]])
def case_batch_drop_remainder_is_no_flag(tf, drop):
    return tf.data.Dataset.range(5).batch(2, drop_remainder=drop)


@each(drop=[0, 2, None])
def case_padded_batch_drop_remainder_is_no_flag(tf, drop):
    return tf.data.Dataset.range(5).padded_batch(2, drop_remainder=drop)


def _sparse_rows(tf):
    def rows():
        for n in (1, 3, 2):
            yield tf.SparseTensor([[i] for i in range(n)], np.arange(n), [n])

    spec = tf.SparseTensorSpec([None], tf.int64)
    return tf.data.Dataset.from_generator(rows, output_signature=spec)


@each(size=[1, 2, 3])
def case_batch_sparse_of_different_lengths(tf, size):
    return _sparse_rows(tf).batch(size)


def case_batch_sparse_of_different_lengths_unbatch(tf):
    return _sparse_rows(tf).batch(3).unbatch()


@each(drop=[False, True])
def case_ragged_batch_of_shapes_that_a_function_keeps(tf, drop):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(10).reshape(5, 2)).map(lambda x: x * 2)
    return ds.ragged_batch(2, drop_remainder=drop)


def case_ragged_batch_of_shapes_that_a_function_makes(tf):
    ds = tf.data.Dataset.range(5).map(lambda x: {"a": x + np.zeros((2, 3), np.int64), "b": (x, x)})
    return ds.filter(lambda row: row["b"][0] != 1).ragged_batch(3)


def case_ragged_batch_of_bytes_of_one_shape(tf):
    ds = tf.data.Dataset.from_tensor_slices([[b"a", b"b"], [b"c", b"d"], [b"e", b"f"]])
    return ds.map(lambda x: (x, x)).ragged_batch(2)


def case_ragged_batch_of_a_mask_is_ragged(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(10).reshape(5, 2)).map(lambda x: x[x > 3])
    return ds.ragged_batch(2)


@each(drop=[False, True])
def case_ragged_batch_of_batches(tf, drop):
    return tf.data.Dataset.range(7).batch(2, drop_remainder=drop).ragged_batch(2)
