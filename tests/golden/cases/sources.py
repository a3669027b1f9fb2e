"""sources: where elements come from without files."""

from collections import OrderedDict, namedtuple

import numpy as np

from tests.golden.case import each

Point = namedtuple("Point", ["x", "y"])


@each(
    args=[
        *((0,), (1,), (5,), (-3,), (2, 6), (6, 2), (2, 2), (0, 10, 3), (0, 9, 3), (5, 0, -2)),
        *((-4, 4, 4), (0, -5, -1), (0, 5, -1), (3, 4, 100)),
    ]
)
def case_range(tf, args):
    return tf.data.Dataset.range(*args)


@each(dtype=["int32", "int64", "uint8", "int16", "float32", "float64", "uint16", "int8"])
def case_range_output_type(tf, dtype):
    return tf.data.Dataset.range(1, 8, 2, output_type=np.dtype(dtype))


def case_range_numpy_arguments(tf):
    return tf.data.Dataset.range(np.int64(1), np.int32(4))


def case_range_float_output_from_negative(tf):
    return tf.data.Dataset.range(-2, 2, output_type=np.float32)


@each(start=[0, 5, -2], step=[1, 3, -4])
def case_counter(tf, start, step):
    return tf.data.Dataset.counter(start, step).take(4)


def case_counter_defaults(tf):
    return tf.data.Dataset.counter().take(3)


@each(dtype=["int32", "float32", "float64", "uint8"])
def case_counter_dtype(tf, dtype):
    return tf.data.Dataset.counter(start=2, step=2, dtype=np.dtype(dtype)).take(3)


def case_counter_is_infinite(tf):
    return int(tf.data.Dataset.counter().cardinality())


@each(seed=[0, 1, 42, 123456789])
def case_random(tf, seed):
    return tf.data.Dataset.random(seed=seed).take(9)


@each(seed=[2**31 - 2, 2**31 - 1, 2**40, -1])
def case_random_large_seed(tf, seed):
    return tf.data.Dataset.random(seed=seed).take(3)


@each(rerandomize=[None, False, True])
def case_random_two_iterations(tf, rerandomize):
    ds = tf.data.Dataset.random(seed=7, rerandomize_each_iteration=rerandomize).take(5)
    return [list(ds), list(ds)]


@each(rerandomize=[None, False, True])
def case_random_repeated(tf, rerandomize):
    ds = tf.data.Dataset.random(seed=7, rerandomize_each_iteration=rerandomize)
    return ds.take(3).repeat(3)


def case_random_is_infinite(tf):
    return int(tf.data.Dataset.random(seed=1).cardinality())


def case_slices_of_a_list(tf):
    return tf.data.Dataset.from_tensor_slices([1, 2, 3])


def case_slices_of_floats(tf):
    return tf.data.Dataset.from_tensor_slices([1.5, -2.0, 0.1])


def case_slices_of_ints_and_floats(tf):
    return tf.data.Dataset.from_tensor_slices([1, 2.5])


def case_slices_of_bools(tf):
    return tf.data.Dataset.from_tensor_slices([True, False])


def case_slices_of_nested_lists(tf):
    return tf.data.Dataset.from_tensor_slices([[1, 2, 3], [4, 5, 6]])


def case_slices_of_strings(tf):
    return tf.data.Dataset.from_tensor_slices(["a", "bc", ""])


def case_slices_of_unicode(tf):
    return tf.data.Dataset.from_tensor_slices(["é", "日本語", "🙂"])


def case_slices_of_bytes(tf):
    return tf.data.Dataset.from_tensor_slices([b"a", b"\x00\xff\x00", b""])


def case_slices_of_a_matrix_of_strings(tf):
    return tf.data.Dataset.from_tensor_slices([[b"a", b"b"], [b"c", b"dd"]])


@each(
    dtype=[
        *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
        *("float16", "float32", "float64", "complex64", "complex128"),
    ]
)
def case_slices_of_dtype(tf, dtype):
    return tf.data.Dataset.from_tensor_slices(np.array([[0, 1], [2, 3]], dtype))


def case_slices_of_special_floats(tf):
    return tf.data.Dataset.from_tensor_slices(np.array([np.nan, np.inf, -np.inf, -0.0], np.float32))


def case_slices_of_large_ints(tf):
    return tf.data.Dataset.from_tensor_slices(np.array([2**63 - 1, -(2**63)]))


def case_slices_of_a_python_list_of_numpy_rows(tf):
    return tf.data.Dataset.from_tensor_slices([np.array([1, 2]), np.array([3, 4])])


def case_slices_of_a_numpy_string_array(tf):
    return tf.data.Dataset.from_tensor_slices(np.array([b"ab", b"c"]))


def case_slices_of_a_numpy_unicode_array(tf):
    return tf.data.Dataset.from_tensor_slices(np.array(["ab", "ü"]))


def case_slices_of_an_empty_array(tf):
    return tf.data.Dataset.from_tensor_slices(np.zeros((0, 3), np.float32))


def case_slices_of_zero_size_rows(tf):
    return tf.data.Dataset.from_tensor_slices(np.zeros((3, 0, 2), np.int32))


def case_slices_of_an_empty_list(tf):
    return tf.data.Dataset.from_tensor_slices([])


def case_slices_of_a_tuple(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2], [3.0, 4.0], ["a", "b"]))


def case_slices_of_a_dict(tf):
    return tf.data.Dataset.from_tensor_slices({"b": [1, 2], "a": [[3.0], [4.0]]})


def case_slices_of_an_ordered_dict(tf):
    return tf.data.Dataset.from_tensor_slices(OrderedDict([("b", [1, 2]), ("a", [3, 4])]))


def case_slices_of_a_namedtuple(tf):
    return tf.data.Dataset.from_tensor_slices(Point([1, 2], [3.0, 4.0]))


def case_slices_of_a_nest(tf):
    return tf.data.Dataset.from_tensor_slices(
        ({"a": ([1, 2], [3, 4])}, Point(["x", "y"], {"z": np.arange(4).reshape(2, 2)}))
    )


def case_slices_of_a_one_tuple(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2],))


def case_slices_of_ragged(tf):
    return tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1, 2], [], [3]]))


def case_slices_of_deep_ragged(tf):
    return tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[[1], [2, 3]], [], [[4]]]))


def case_slices_of_sparse(tf):
    value = tf.sparse.SparseTensor(
        indices=[[0, 1], [2, 0]], values=np.array([5, 6], np.int64), dense_shape=[3, 2]
    )
    return tf.data.Dataset.from_tensor_slices(value)


def case_tensors_scalar(tf):
    return tf.data.Dataset.from_tensors(42)


def case_tensors_float(tf):
    return tf.data.Dataset.from_tensors(0.5)


def case_tensors_string(tf):
    return tf.data.Dataset.from_tensors("hé")


def case_tensors_list(tf):
    return tf.data.Dataset.from_tensors([[1, 2], [3, 4]])


def case_tensors_nest(tf):
    return tf.data.Dataset.from_tensors(({"a": 1, "b": [True]}, Point(2.0, b"x")))


def case_tensors_empty_array(tf):
    return tf.data.Dataset.from_tensors(np.zeros((2, 0), np.float64))


def case_tensors_ragged(tf):
    return tf.data.Dataset.from_tensors(tf.ragged.constant([[1.0], [2.0, 3.0]]))


def case_tensors_sparse(tf):
    return tf.data.Dataset.from_tensors(
        tf.sparse.SparseTensor([[0, 0]], np.array([1.5], np.float32), [2, 2])
    )


def case_tensors_of_a_dataset(tf):
    return tf.data.Dataset.from_tensors(tf.data.Dataset.range(3))


def case_tensors_large_python_int(tf):
    return tf.data.Dataset.from_tensors(np.int64(2**40))


def case_from_list_scalars(tf):
    return tf.data.experimental.from_list([1, 2, 3])


def case_from_list_tuples(tf):
    return tf.data.experimental.from_list([(1, "a"), (2, "b")])


def case_from_list_dicts(tf):
    return tf.data.experimental.from_list([{"a": 1, "b": [1.0]}, {"a": 2, "b": [2.0]}])


def case_from_list_arrays(tf):
    return tf.data.experimental.from_list([np.array([1, 2]), np.array([3, 4])])


def case_from_list_one(tf):
    return tf.data.experimental.from_list([b"only"])


def case_slices_twice(tf):
    ds = tf.data.Dataset.from_tensor_slices([1, 2])
    return [list(ds), list(ds)]


def case_as_numpy_iterator(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "s": [b"x", b"y"]})
    return list(ds.as_numpy_iterator())


def case_as_numpy_iterator_nested(tf):
    ds = tf.data.Dataset.from_tensor_slices((np.arange(4).reshape(2, 2), Point([1.0, 2.0], [3, 4])))
    return list(ds.as_numpy_iterator())


def case_bool_of_an_empty_dataset(tf):
    return bool(tf.data.Dataset.range(0))


def case_len(tf):
    return len(tf.data.Dataset.range(7).batch(2))


@each(stop=[3, 0])
def case_slices_of_a_range(tf, stop):
    return tf.data.Dataset.from_tensor_slices(range(stop))


def case_slices_of_a_large_range(tf):
    return tf.data.Dataset.from_tensor_slices({"a": range(2**33 + 3, 2**33, -1)})


def case_tensors_range(tf):
    return tf.data.Dataset.from_tensors(range(5, 0, -2))


def case_slices_beside_none(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2, 3], None, {"a": None}))


def case_slices_beside_none_in_batches(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2, 3], None)).shuffle(3, seed=1).batch(2)


def case_slices_of_none_alone(tf):
    return tf.data.Dataset.from_tensor_slices((None, None))
