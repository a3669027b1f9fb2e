"""functions: tf.function, py_function, numpy_function and control flow."""

import numpy as np

from tests.golden.case import each, may_accept

ROW = np.array([1.0, 2.0], np.float32)


def traces(tf, calls, **settings):
    """Which calls of a function made it record itself anew."""
    seen = []

    @tf.function(**settings)
    def fn(*args, **kwargs):
        seen.append(1)
        return 0

    counts = []
    for args, kwargs in calls:
        fn(*args, **kwargs)
        counts.append(len(seen))
    return counts


CALLS = {
    "arrays_by_shape": [((np.ones(2),), {}), ((np.zeros(2),), {}), ((np.ones(3),), {})],
    "arrays_by_dtype": [((np.float32(1),), {}), ((np.float32(2),), {}), ((np.float64(2),), {})],
    "numbers_by_value": [((1,), {}), ((1,), {}), ((2,), {}), ((2.5,), {})],
    "text_by_value": [(("a",), {}), (("a",), {}), (("b",), {})],
    "none": [((None,), {}), ((None,), {}), ((1,), {})],
    "structures": [(([1, 2],), {}), (([1, 2],), {}), (((1, 2),), {}), (({"a": 1},), {})],
    "arrays_in_structures": [
        (({"a": np.ones(2)},), {}),
        (({"a": np.zeros(2)},), {}),
        (({"a": np.ones(3)},), {}),
    ],
    "by_name": [((), {"k": 1}), ((), {"k": 1}), ((), {"k": 2})],
}


@each(name=list(CALLS))
def case_traces(tf, name):
    return traces(tf, CALLS[name])


def case_traces_when_reducing(tf):
    calls = [((np.ones(n, np.float32),), {}) for n in (2, 3, 4, 5)]
    return traces(tf, calls, reduce_retracing=True)


def case_positions_and_names_are_one(tf):
    seen = []

    @tf.function
    def fn(x, y=2.0):
        seen.append(1)
        return x * y

    results = [fn(ROW), fn(x=ROW), fn(ROW, 2.0), fn(y=2.0, x=ROW), fn(ROW, y=3.0)]
    return results, len(seen)


SIGNATURE_CALLS = {
    "list_of_ints": lambda fn: fn([1, 2]),
    "floats": lambda fn: fn([1.5]),
    "float64": lambda fn: fn(np.ones(3)),
    "ints": lambda fn: fn(np.ones(3, np.int32)),
    "rank": lambda fn: fn(np.ones((3, 2), np.float32)),
    "none": lambda fn: fn(None),
    "text": lambda fn: fn("a"),
    "missing": lambda fn: fn(),
    "too_many": lambda fn: fn(ROW, 1),
}


@each(name=list(SIGNATURE_CALLS))
def case_input_signature(tf, name):
    fn = tf.function(lambda x: x * 2, input_signature=[tf.TensorSpec([None], tf.float32)])
    return SIGNATURE_CALLS[name](fn)


def case_input_signature_is_one_trace(tf):
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def fn(x):
        seen.append(1)
        return tf.reduce_sum(x) + tf.cast(tf.shape(x)[0], tf.float32)

    return [fn(np.ones(n, np.float32)) for n in (1, 2, 5)], len(seen)


def case_input_signature_nested(tf):
    spec = {"a": tf.TensorSpec([], tf.int32), "b": [tf.TensorSpec([None], tf.float32)]}
    fn = tf.function(lambda d: d["b"][0] * tf.cast(d["a"], tf.float32), input_signature=[spec])
    return fn({"a": 3, "b": [ROW]})


@each(signature=["number", "no_spec", "too_many"])
def case_bad_signature(tf, signature):
    spec = tf.TensorSpec([None], tf.float32)
    bad = {"number": 3, "no_spec": [3], "too_many": [spec, spec]}[signature]
    return tf.function(lambda x: x, input_signature=bad)(ROW)


def case_concrete(tf):
    @tf.function
    def fn(x, k):
        return {"y": x * k, "n": x[0]}

    concrete = fn.get_concrete_function(tf.TensorSpec([None], tf.float32), 3)
    outputs = concrete.structured_outputs
    shapes = [[None if n is None else int(n) for n in outputs[key].shape] for key in ("n", "y")]
    row = tf.constant(ROW)
    return concrete(row), shapes, fn(row, 3), fn.experimental_get_tracing_count()


@may_accept
def case_concrete_of_another_dtype(tf):
    concrete = tf.function(lambda x: x).get_concrete_function(tf.TensorSpec([2], tf.int32))
    return concrete(tf.constant([1.5, 2.5]))


def case_nested_functions_are_recorded_once(tf):
    seen = []

    @tf.function
    def inner(x):
        seen.append(1)
        return x + 1

    @tf.function
    def outer(x):
        return inner(inner(x)) * inner(x)

    return outer(np.float32(1)), outer(np.float32(5)), inner(np.float32(2)), len(seen)


def case_methods_have_their_own_traces(tf):
    seen = []

    class Scale:
        def __init__(self, by):
            self.by = by

        @tf.function
        def of(self, x):
            seen.append(1)
            return x * self.by

    two, three = Scale(2.0), Scale(3.0)
    results = [two.of(ROW), three.of(ROW), two.of(ROW)]
    two.by = 100.0
    return results, two.of(ROW), len(seen)


def case_what_is_captured_is_a_constant(tf):
    table = np.array([1.0, 2.0], np.float32)
    fn = tf.function(lambda x: x + table)
    first = fn(ROW)
    table[0] = 100.0
    return first, fn(ROW)


def case_python_results(tf):
    return tf.function(lambda x: (1, 2.5, [x, True], {"b": None, "a": "s"}))(np.int64(3))


def case_python_runs_while_recording_only(tf):
    seen = []

    @tf.function
    def fn(x):
        seen.append("python")
        return x + len(seen)

    return [fn(np.int32(10)), fn(np.int32(20)), len(seen)]


def case_shape_is_static(tf):
    @tf.function
    def fn(x):
        return tf.reshape(x, [x.shape[1], x.shape[0]]), tf.shape(x)

    return fn(np.arange(6).reshape(2, 3))


def case_elements_of_a_dataset(tf):
    @tf.function
    def fn(element):
        x, y = element
        return x + y

    data = tf.data.Dataset.from_tensor_slices(([1, 2, 3], [4, 5, 6])).batch(2)
    return [fn(element) for element in data]


def case_function_in_map(tf):
    @tf.function
    def fn(x, y):
        return {"sum": x + y, "one": 1}

    return tf.data.Dataset.from_tensor_slices(([1, 2, 3], [4, 5, 6])).map(fn)


# ---- py_function ---------------------------------------------------------------

PY_CALLS = {
    "same": (lambda x: x * 2, np.float32(2), "float32"),
    "numpy_cast": (lambda x: np.float64(2.5), np.float32(2), "float32"),
    "python_float": (lambda x: 2.5, np.float32(2), "float64"),
    "python_int": (lambda x: 2, np.float32(2), "float32"),
    "float_to_int": (lambda x: 2.7, np.float32(2), "int32"),
    "text": (lambda x: "abc", np.float32(2), "string"),
    "nothing": (lambda x: None, np.float32(2), "float32"),
}


@each(name=list(PY_CALLS))
def case_py_function(tf, name):
    fn, x, dtype = PY_CALLS[name]
    return tf.py_function(fn, [x], getattr(tf, dtype))


def case_py_function_several(tf):
    return tf.py_function(lambda x: (1, 2.5), [1], [tf.int64, tf.float32])


def case_py_function_none(tf):
    return tf.py_function(lambda x: None, [1], [])


def case_py_function_runs_at_every_call(tf):
    seen = []

    def effect(x):
        seen.append(float(x))
        return x

    @tf.function
    def fn(x):
        return tf.py_function(effect, [x], tf.float32) * 2

    return [fn(np.float32(n)) for n in range(3)], seen


def case_numpy_function(tf):
    return tf.numpy_function(np.sort, [np.array([3.0, 1.0])], tf.float64)


def case_numpy_function_in_a_function(tf):
    fn = tf.function(lambda x: tf.numpy_function(np.cumsum, [x], tf.float32) + 1)
    return fn(ROW), fn(ROW * 2)


# ---- control flow --------------------------------------------------------------


@each(recorded=[False, True])
def case_cond(tf, recorded):
    def fn(x):
        return tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2, lambda: x - 1)

    fn = tf.function(fn) if recorded else fn
    return fn(ROW), fn(-ROW)


@each(recorded=[False, True])
def case_switch(tf, recorded):
    def fn(i):
        return tf.switch_case(i, {0: lambda: 10, 1: lambda: 30}, default=lambda: -1)

    fn = tf.function(fn) if recorded else fn
    return [fn(tf.constant(i)) for i in (0, 1, 7, -1)]


@each(recorded=[False, True])
def case_case(tf, recorded):
    def fn(x):
        pairs = [(x < 0, lambda: -x), (x > 10, lambda: x * 0)]
        return tf.case(pairs, default=lambda: x)

    fn = tf.function(fn) if recorded else fn
    return [fn(tf.constant(i)) for i in (-4, 5, 20)]


@each(recorded=[False, True])
def case_while(tf, recorded):
    def fn(n):
        return tf.while_loop(
            lambda i, total: i < n, lambda i, total: (i + 1, total + i), (np.int64(0), np.int64(0))
        )

    fn = tf.function(fn) if recorded else fn
    return [fn(np.int64(n)) for n in (0, 3, 6)]


def case_while_at_most(tf):
    return tf.while_loop(lambda i: i < 100, lambda i: [i * 2], [1], maximum_iterations=3)


@each(recorded=[False, True])
def case_map_fn(tf, recorded):
    def fn(x):
        return tf.map_fn(lambda row: tf.reduce_sum(row) * 2, x)

    fn = tf.function(fn) if recorded else fn
    return fn(np.arange(6.0).reshape(3, 2)), fn(np.ones((3, 2)))


def case_map_fn_signature(tf):
    return tf.map_fn(
        lambda pair: (pair[0] + pair[1], pair[0] > 1),
        (np.array([1, 2], np.int32), np.array([3, 4], np.int32)),
        fn_output_signature=(tf.int32, tf.bool),
    )


def case_vectorized_map(tf):
    return tf.vectorized_map(lambda x: x * x, tf.constant([1.0, 2.0, 3.0]))


def case_nest(tf):
    structure = {"b": [1, (2, 3)], "a": 4}
    flat = tf.nest.flatten(structure)
    packed = tf.nest.pack_sequence_as(structure, [10, 20, 30, 40])
    return flat, packed, tf.nest.map_structure(lambda x, y: x - y, packed, structure)
