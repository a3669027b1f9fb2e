"""spec: element_spec and the spec classes themselves."""

from collections import namedtuple

import numpy as np

from tests.golden.case import each, spec_of_results

Point = namedtuple("Point", ["x", "y"])


def case_get_structure(tf):
    return tf.data.experimental.get_structure(tf.data.Dataset.range(4).batch(2))


def case_get_structure_of_an_iterator(tf):
    return tf.data.experimental.get_structure(iter(tf.data.Dataset.range(4)))


def case_iterator_element_spec(tf):
    return iter(tf.data.Dataset.from_tensor_slices({"a": [1], "b": [[2.0]]})).element_spec


def case_element_spec_structure(tf):
    return tf.data.Dataset.from_tensors(({"a": 1, "b": [True]}, Point(2.0, b"x"))).element_spec


def case_element_spec_equals_a_written_one(tf):
    spec = tf.data.Dataset.from_tensor_slices(np.zeros((2, 3), np.float32)).element_spec
    return [
        spec == tf.TensorSpec((3,), np.float32),
        spec == tf.TensorSpec((2,), np.float32),
        spec == tf.TensorSpec((3,), np.float64),
        spec == tf.TensorSpec([3], np.float32),
    ]


def case_attributes(tf):
    spec = tf.TensorSpec((None, 3), np.int64, name="x")
    return [tuple(spec.shape), spec.name, len(spec.shape)]


def case_default_dtype(tf):
    return tf.TensorSpec((2,))


@each(shape=[(2, 3), (None, 3), (2,), None, (2, None), (1, 3)])
def case_is_compatible_with_a_spec(tf, shape):
    spec = tf.TensorSpec((2, 3), np.int64)
    return bool(spec.is_compatible_with(tf.TensorSpec(shape, np.int64)))


def case_is_compatible_with_another_dtype(tf):
    spec = tf.TensorSpec((2,), np.int64)
    return bool(spec.is_compatible_with(tf.TensorSpec((2,), np.int32)))


def case_ragged_spec(tf):
    return [
        tf.RaggedTensorSpec((None, None), np.int32),
        tf.RaggedTensorSpec((2, None, None), np.float32),
        tf.RaggedTensorSpec((2, None, 3), np.float32, ragged_rank=1),
        tf.RaggedTensorSpec((2, None), np.int64, row_splits_dtype=np.int32),
    ]


def case_sparse_spec(tf):
    return [tf.SparseTensorSpec((2, None), np.int32), tf.SparseTensorSpec([3], tf.string)]


def case_dataset_spec(tf):
    return tf.data.DatasetSpec(tf.TensorSpec((2,), np.int32))


def case_dataset_spec_of_a_dict(tf):
    return tf.data.DatasetSpec({"a": tf.TensorSpec((), np.int32)})


def case_specs_are_hashable(tf):
    return len({tf.TensorSpec((2,), np.int32), tf.TensorSpec((2,), np.int32)})


def case_batch_of_unknown_rank(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1], [2]]), output_signature=tf.TensorSpec(None, np.int32)
    )
    return ds.batch(2)


def case_batch_of_unknown_length(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1], [2]]), output_signature=tf.TensorSpec((None,), np.int32)
    )
    return ds.batch(2, drop_remainder=True)


def case_batch_one_drop(tf):
    return tf.data.Dataset.range(3).batch(1, drop_remainder=True)


def case_zip_of_everything(tf):
    a = tf.data.Dataset.from_tensor_slices(np.zeros((2, 3), np.uint8))
    b = tf.data.Dataset.from_tensor_slices(["x", "y"])
    c = tf.data.Dataset.range(2).window(2)
    return tf.data.Dataset.zip({"a": a, "rest": (b, a.batch(2))}).take(1), c.element_spec


def case_unbatch_of_static(tf):
    return tf.data.Dataset.range(4).batch(2, drop_remainder=True).unbatch()


def case_window_of_batches(tf):
    return tf.data.Dataset.range(6).batch(2, drop_remainder=True).window(2).element_spec


def case_window_of_dicts(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": [1], "b": [[1.0]]})
    return ds.window(2).element_spec


def case_window_twice(tf):
    return tf.data.Dataset.range(6).window(2).window(2).element_spec


def case_flat_map_of_windows(tf):
    ds = tf.data.Dataset.range(6).window(2, drop_remainder=True)
    return ds.flat_map(lambda w: w.batch(2, drop_remainder=True))


def case_padded_batch_static(tf):
    ds = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
    return ds.padded_batch(2, padded_shapes=[5], drop_remainder=True)


def case_ragged_batch_of_dict(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([{"a": [1], "b": 1}]),
        output_signature={"a": tf.TensorSpec((None,), np.int32), "b": tf.TensorSpec((), np.int32)},
    )
    return ds.ragged_batch(2)


def case_scan_of_structure(tf):
    ds = tf.data.Dataset.range(2).batch(2, drop_remainder=True)
    return ds.scan(np.int64(0), lambda s, x: (s + x[0], {"x": x, "s": s}))


def case_cache_prefetch_shuffle_keep_it(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": np.zeros((3, 2))})
    return ds.cache().prefetch(1).shuffle(2, seed=1).repeat(2).take(3).skip(1).shard(2, 0)


def case_concatenate_widens(tf):
    a = tf.data.Dataset.from_tensors(np.zeros((2, 3)))
    return a.concatenate(tf.data.Dataset.from_tensors(np.zeros((4, 3)))).element_spec


def case_interleave_of_inner(tf):
    ds = tf.data.Dataset.range(3)
    return ds.interleave(
        lambda n: tf.data.Dataset.from_tensors((n, b"x")).repeat(2), cycle_length=2
    )


def case_group_by_window_of_inner(tf):
    return tf.data.Dataset.range(4).group_by_window(
        lambda x: x % 2, lambda k, w: w.batch(2, drop_remainder=True), window_size=2
    )


def case_flat_map_of_no_windows(tf):
    ds = tf.data.Dataset.range(0).window(3)
    return ds.flat_map(lambda w: w.batch(2, drop_remainder=True))


def case_flat_map_of_no_shuffled_windows(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": np.zeros((0, 3), np.float32)})
    return ds.window(3).shuffle(2).flat_map(lambda w: w["a"].batch(2))


def case_flat_map_of_no_windows_of_ragged_rows(tf):
    rows = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3]]))
    return rows.window(5, drop_remainder=True).flat_map(lambda w: w.batch(5))


def case_map_of_no_windows(tf):
    ds = tf.data.Dataset.range(0).window(3)
    return ds.map(lambda w: w.reduce(np.int64(0), lambda total, x: total + x))


def case_map_of_no_sparse_values(tf):
    value = tf.sparse.SparseTensor([[0, 1]], np.array([5], np.int64), [1, 2])
    return tf.data.Dataset.from_tensor_slices(value).take(0).map(lambda x: x)


@spec_of_results
def case_map_of_no_ragged_values(tf):
    values = tf.ragged.constant([[[1], [2, 3]], [[4]]])
    return tf.data.Dataset.from_tensor_slices(values).take(0).map(lambda x: x)


def case_unbatch_of_windows(tf):
    return tf.data.Dataset.range(4).window(2).batch(2).unbatch()


def case_slices_of_a_ragged_tensor(tf):
    return tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3]])).take(0).batch(2)
