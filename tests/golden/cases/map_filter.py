"""map_filter: map, filter, take_while, scan, enumerate, apply, flat_map."""

from collections import namedtuple

import numpy as np

from tests.golden.case import each, found_when_run, numpy_results, raises, spec_of_results

Point = namedtuple("Point", ["x", "y"])


@each(parallel=[None, 1, 2])
def case_map(tf, parallel):
    return tf.data.Dataset.range(5).map(lambda x: x * 2 + 1, num_parallel_calls=parallel)


def case_map_autotune(tf):
    return tf.data.Dataset.range(5).map(lambda x: x - 1, num_parallel_calls=tf.data.AUTOTUNE)


def case_map_parallel_deterministic(tf):
    return tf.data.Dataset.range(20).map(lambda x: x * x, num_parallel_calls=2, deterministic=True)


def case_map_synchronous(tf):
    return tf.data.Dataset.range(3).map(lambda x: -x, synchronous=True)


def case_map_empty(tf):
    return tf.data.Dataset.range(0).map(lambda x: x + 1)


@each(dtype=["uint8", "int8", "int32", "float16", "float32", "float64"])
def case_map_keeps_the_dtype_with_python_numbers(tf, dtype):
    return tf.data.Dataset.range(4, output_type=np.dtype(dtype)).map(lambda x: x * 3 + 1)


def case_map_uint8_wraps_around(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.array([[250, 255], [1, 2]], np.uint8))
    return ds.map(lambda x: x + x)


def case_map_divides(tf):
    return tf.data.Dataset.range(1, 4).map(lambda x: x / 2)


def case_map_floor_and_mod_of_negatives(tf):
    return tf.data.Dataset.range(-4, 5).map(lambda x: (x // 3, x % 3))


def case_map_compares(tf):
    return tf.data.Dataset.range(4).map(lambda x: x >= 2)


def case_map_and_or_not(tf):
    ds = tf.data.Dataset.from_tensor_slices(([True, True, False], [True, False, False]))
    return ds.map(lambda a, b: (a & b, a | b, a ^ b, ~a))


def case_map_power_and_abs(tf):
    return tf.data.Dataset.range(-3, 3).map(lambda x: (x**2, abs(x)))


def case_map_to_tuple(tf):
    return tf.data.Dataset.range(3).map(lambda x: (x, x + 1))


def case_map_to_one_tuple(tf):
    return tf.data.Dataset.range(2).map(lambda x: (x,))


def case_map_to_dict(tf):
    return tf.data.Dataset.range(3).map(lambda x: {"b": x, "a": x * x})


def case_map_to_namedtuple(tf):
    return tf.data.Dataset.range(3).map(lambda x: Point(x, x * 10))


def case_map_to_a_deep_nest(tf):
    return tf.data.Dataset.range(2).map(lambda x: ({"a": (x, {"b": x + 1})}, Point(x, (x,))))


def case_map_to_a_list_is_a_tuple(tf):
    return tf.data.Dataset.range(3).map(lambda x: [x, x + 1])


def case_map_tuple_is_spread(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2], [10, 20])).map(lambda a, b: a + b)


def case_map_nested_tuple_spreads_once(tf):
    ds = tf.data.Dataset.from_tensor_slices((([1, 2], [3, 4]), [5, 6]))
    return ds.map(lambda pair, c: pair[0] + pair[1] * c)


def case_map_dict_is_one_argument(tf):
    return tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [3, 4]}).map(
        lambda d: d["a"] * d["b"]
    )


def case_map_namedtuple_argument(tf):
    return tf.data.Dataset.from_tensor_slices(Point([1, 2], [3, 4])).map(
        lambda *p: p[0].x + p[0].y if len(p) == 1 else p[0] + p[1]
    )


def case_map_tuple_of_dict_and_label(tf):
    ds = tf.data.Dataset.from_tensor_slices(({"a": [1, 2]}, [0, 1]))
    return ds.map(lambda features, label: ({"a": features["a"] * 2}, label))


def case_map_indexes_an_array(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(12).reshape(3, 4))
    return ds.map(lambda row: (row[0], row[1:3], row[::-1], row[-1]))


def case_map_matrix_times_matrix(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(8.0).reshape(2, 2, 2))
    return ds.map(lambda m: m @ m)


def case_map_broadcasts(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(6, dtype=np.float32).reshape(2, 3))
    weights = np.array([1, 10, 100], np.float32)
    return ds.map(lambda row: row * weights)


def case_map_passes_strings(tf):
    return tf.data.Dataset.from_tensor_slices([b"a", b"b"]).map(lambda s: (s, s == b"a"))


def case_map_adds_strings(tf):
    return tf.data.Dataset.from_tensor_slices([b"a", b"b"]).map(lambda s: s + b"!")


@numpy_results
def case_map_to_a_python_int(tf):
    return tf.data.Dataset.range(2).map(lambda x: 7)


@numpy_results
def case_map_to_a_python_float(tf):
    return tf.data.Dataset.range(2).map(lambda x: 0.5)


def case_map_to_a_python_bool(tf):
    return tf.data.Dataset.range(2).map(lambda x: True)


def case_map_to_a_python_bytes(tf):
    return tf.data.Dataset.range(2).map(lambda x: b"c")


def case_map_to_a_python_str(tf):
    return tf.data.Dataset.range(2).map(lambda x: "ü")


@numpy_results
def case_map_to_a_python_list_is_a_tuple(tf):
    return tf.data.Dataset.range(2).map(lambda x: [1, 2])


def case_map_to_a_list_in_a_tuple_is_an_array(tf):
    return tf.data.Dataset.range(2).map(lambda x: ([x, x + 1], x))


def case_map_to_a_list_in_a_dict_is_an_array(tf):
    return tf.data.Dataset.range(2).map(lambda x: {"a": [x, x * 10]})


def case_map_to_a_list_in_a_list_is_an_array_in_a_tuple(tf):
    return tf.data.Dataset.range(2).map(lambda x: [[x, x * 10], x])


def case_map_to_a_list_of_one(tf):
    return tf.data.Dataset.range(2).map(lambda x: [x])


@spec_of_results
def case_map_to_a_list_of_arrays(tf):
    return tf.data.Dataset.range(4).batch(2).map(lambda x: [x, x * 2])


def case_scan_output_list(tf):
    return tf.data.Dataset.range(3).scan(np.int64(0), lambda s, x: (s + x, [s, x]))


def case_map_to_none(tf):
    return tf.data.Dataset.range(2).map(lambda x: (x, None))


def case_map_to_a_numpy_constant(tf):
    return tf.data.Dataset.range(2).map(lambda x: np.array([1.0, 2.0]))


@spec_of_results
def case_map_slice_of_varying_length(tf):
    ds = tf.data.Dataset.range(4)
    data = np.arange(4)
    return ds.map(lambda n: data[:3] + n)


def case_map_chain(tf):
    ds = tf.data.Dataset.range(10)
    return ds.map(lambda x: x + 1).map(lambda x: x * x).filter(lambda x: x % 2 == 0)


def case_map_to_a_dataset(tf):
    return tf.data.Dataset.range(3).map(lambda n: tf.data.Dataset.range(n))


def case_map_of_windows(tf):
    return tf.data.Dataset.range(5).window(2).map(lambda w: w.map(lambda x: x * 10))


def case_map_with_an_if(tf):
    def f(x):
        if x > 2:
            return x * 10
        return -x

    return tf.data.Dataset.range(5).map(f)


def case_map_python_loop(tf):
    def f(x):
        total = x
        for k in [1, 2, 3]:
            total = total + k
        return total

    return tf.data.Dataset.range(3).map(f)


def case_filter(tf):
    return tf.data.Dataset.range(10).filter(lambda x: x % 3 == 0)


def case_filter_none_kept(tf):
    return tf.data.Dataset.range(10).filter(lambda x: x > 100)


def case_filter_all_kept(tf):
    return tf.data.Dataset.range(3).filter(lambda x: x >= 0)


def case_filter_empty(tf):
    return tf.data.Dataset.range(0).filter(lambda x: x > 0)


def case_filter_tuple(tf):
    ds = tf.data.Dataset.from_tensor_slices(([1, 2, 3], [3, 2, 1]))
    return ds.filter(lambda a, b: a < b)


def case_filter_dict(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "s": ["x", "y", "z"]})
    return ds.filter(lambda d: d["a"] != 2)


def case_filter_strings(tf):
    return tf.data.Dataset.from_tensor_slices([b"a", b"b", b"a"]).filter(lambda s: s == b"a")


def case_filter_twice(tf):
    return tf.data.Dataset.range(20).filter(lambda x: x % 2 == 0).filter(lambda x: x % 3 == 0)


def case_filter_arrays(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(8).reshape(4, 2))
    return ds.filter(lambda row: row[0] > 2)


def case_filter_batches(tf):
    return tf.data.Dataset.range(10).batch(3).filter(lambda b: b[0] > 2)


@found_when_run
def case_filter_not_bool(tf):
    return tf.data.Dataset.range(3).filter(lambda x: x)


@found_when_run
def case_filter_not_scalar(tf):
    return tf.data.Dataset.range(4).batch(2).filter(lambda b: b > 0)


def case_take_while(tf):
    return tf.data.Dataset.range(10).take_while(lambda x: x < 4)


def case_take_while_stops_for_good(tf):
    return tf.data.Dataset.from_tensor_slices([1, 2, 5, 1, 2]).take_while(lambda x: x < 3)


def case_take_while_never(tf):
    return tf.data.Dataset.range(3).take_while(lambda x: x > 5)


def case_take_while_all(tf):
    return tf.data.Dataset.range(3).take_while(lambda x: x >= 0)


def case_take_while_repeated(tf):
    return tf.data.Dataset.range(10).take_while(lambda x: x < 2).repeat(2)


def case_take_while_of_an_infinite_dataset(tf):
    return tf.data.Dataset.counter().take_while(lambda x: x * x < 20)


def case_take_while_tuple(tf):
    ds = tf.data.Dataset.from_tensor_slices(([1, 2, 3], [5, 2, 9]))
    return ds.take_while(lambda a, b: a < b)


def case_scan(tf):
    return tf.data.Dataset.range(1, 6).scan(np.int64(0), lambda s, x: (s + x, s + x))


def case_scan_output_before_the_state(tf):
    return tf.data.Dataset.range(4).scan(np.int64(10), lambda s, x: (s + x, s * 2))


def case_scan_structures(tf):
    def step(state, x):
        total, count = state
        return (total + x, count + 1), {"mean": total, "n": count}

    return tf.data.Dataset.range(4).scan((np.int64(0), np.int64(0)), step)


def case_scan_array_state(tf):
    return tf.data.Dataset.range(3).scan(np.zeros(2, np.int64), lambda s, x: (s + x, s))


def case_scan_tuple_elements(tf):
    ds = tf.data.Dataset.from_tensor_slices(([1, 2], [3, 4]))
    return ds.scan(np.int32(0), lambda s, element: (s + element[0], element[1] * s))


def case_scan_starts_again_each_epoch(tf):
    return tf.data.Dataset.range(3).scan(np.int64(0), lambda s, x: (s + 1, s)).repeat(2)


def case_scan_empty(tf):
    return tf.data.Dataset.range(0).scan(np.int64(0), lambda s, x: (s, s))


@each(start=[0, 5, -1])
def case_enumerate(tf, start):
    return tf.data.Dataset.from_tensor_slices([10, 20, 30]).enumerate(start=start)


def case_enumerate_tuples(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2], [3, 4])).enumerate()


def case_enumerate_dicts(tf):
    return tf.data.Dataset.from_tensor_slices({"a": [1, 2]}).enumerate()


def case_enumerate_after_repeat(tf):
    return tf.data.Dataset.range(2).repeat(2).enumerate()


def case_enumerate_before_repeat(tf):
    return tf.data.Dataset.range(2).enumerate().repeat(2)


def case_enumerate_empty(tf):
    return tf.data.Dataset.range(0).enumerate()


def case_apply(tf):
    return tf.data.Dataset.range(6).apply(lambda ds: ds.filter(lambda x: x > 2).batch(2))


def case_flat_map(tf):
    return tf.data.Dataset.range(4).flat_map(lambda n: tf.data.Dataset.range(n))


def case_flat_map_slices(tf):
    ds = tf.data.Dataset.from_tensor_slices([[1, 2, 3], [4, 5, 6]])
    return ds.flat_map(lambda row: tf.data.Dataset.from_tensor_slices(row))


def case_flat_map_repeats(tf):
    ds = tf.data.Dataset.range(3)
    return ds.flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(x))


def case_flat_map_of_pairs(tf):
    ds = tf.data.Dataset.from_tensor_slices((np.array([1, 2]), [10, 20]))
    return ds.flat_map(lambda a, b: tf.data.Dataset.range(a).map(lambda i: (i, b)))


def case_flat_map_nested_twice(tf):
    ds = tf.data.Dataset.range(1, 4)
    return ds.flat_map(
        lambda n: tf.data.Dataset.range(n).flat_map(lambda m: tf.data.Dataset.range(m, n))
    )


def case_flat_map_all_empty(tf):
    return tf.data.Dataset.range(3).flat_map(lambda n: tf.data.Dataset.range(0))


def case_flat_map_empty_input(tf):
    return tf.data.Dataset.range(0).flat_map(lambda n: tf.data.Dataset.range(n))


def case_flat_map_of_an_infinite_inner(tf):
    ds = tf.data.Dataset.range(2)
    return ds.flat_map(lambda n: tf.data.Dataset.counter(n)).take(4)


def case_flat_map_zip(tf):
    ds = tf.data.Dataset.range(3)
    return ds.flat_map(
        lambda n: tf.data.Dataset.zip((tf.data.Dataset.range(n), tf.data.Dataset.range(n, n + 9)))
    )


@found_when_run
def case_flat_map_not_a_dataset(tf):
    return tf.data.Dataset.range(3).flat_map(lambda n: n)


@raises(ZeroDivisionError)
@found_when_run
def case_map_raises_python(tf):
    def f(x):
        raise ZeroDivisionError("no")

    return tf.data.Dataset.range(3).map(f)


def case_map_not_callable(tf):
    return tf.data.Dataset.range(3).map(3)


@raises(TypeError)
@found_when_run
def case_map_wrong_number_of_arguments(tf):
    return tf.data.Dataset.from_tensor_slices(([1], [2])).map(lambda a: a)


def case_map_bad_num_parallel_calls(tf):
    return tf.data.Dataset.range(3).map(lambda x: x, num_parallel_calls=0)
