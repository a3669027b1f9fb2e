"""@function: recorded once per signature, repeated afterwards."""

import copy
import functools
import pickle
import threading
import warnings
from collections import namedtuple
from dataclasses import dataclass

import cloudpickle
import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError

ROW = np.array([1.0, 2.0], np.float32)
Point = namedtuple("Point", ["x", "y"])


@dataclass
class Sample:
    x: object
    y: object


def counted(fn, **settings):
    """Return a @function, and the list of the Python calls it makes."""
    calls = []

    @tf.function(**settings)
    @functools.wraps(fn)
    def recorded(*args, **kwargs):
        calls.append(1)
        return fn(*args, **kwargs)

    return recorded, calls


# ---- calls -----------------------------------------------------------------------


def test_python_runs_once_per_signature():
    fn, calls = counted(lambda x: x * 2)

    assert [fn(np.float32(n)) for n in range(3)] == [0, 2, 4]
    assert len(calls) == 1


def test_the_call_that_records_is_the_call():
    ran = []

    @tf.function
    def fn(x):
        return tf.py_function(lambda v: ran.append(v) or v, [x], tf.float32)

    assert fn(np.float32(3)) == 3
    assert ran == [3]


def test_scalars_come_out_as_numpy_scalars():
    fn = tf.function(lambda x: (x.sum(), x.max(keepdims=True), 1, 2.5, True, None, "text"))
    total, largest, *rest = fn(ROW)

    assert isinstance(total, np.float32)
    assert largest.shape == (1,)
    assert [type(value) for value in rest[:3]] == [np.int32, np.float32, np.bool_]
    assert rest[3:] == [None, "text"]


@pytest.mark.parametrize(
    "argument",
    [[ROW, ROW], (ROW, {"a": ROW}), Point(ROW, 3), Sample(ROW, [1.5]), {"a": [ROW], "b": None}],
)
def test_structures_are_arguments_and_results(argument):
    fn, calls = counted(lambda value: value)

    for _ in range(2):
        found = fn(argument)
        assert type(found) is type(argument)
        assert [np.array_equal(a, b) for a, b in zip(leaves(found), leaves(argument), strict=True)]
    assert len(calls) == 1


def leaves(value):
    return [leaf for leaf in tf.nest.flatten(value) if leaf is not None]


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
def test_python_numbers_are_told_apart_by_type():
    fn, calls = counted(lambda n: n)

    assert [type(fn(n)) for n in (1, 1.0, True, -0.0, 0.0)] == [
        np.int32,
        np.float32,
        np.bool_,
        np.float32,
        np.float32,
    ]
    assert np.signbit(fn(-0.0))
    assert len(calls) == 5


def test_nan_is_one_value():
    fn, calls = counted(lambda n: n)
    fn(float("nan"))
    fn(float("nan"))

    assert len(calls) == 1


def test_objects_are_told_apart_by_identity():
    fn, calls = counted(lambda x, f: f(x))
    double, triple = (lambda x: x * 2), (lambda x: x * 3)

    assert [fn(np.int32(5), f) for f in (double, triple, double)] == [10, 15, 10]
    assert len(calls) == 2


def test_arguments_by_position_by_name_and_by_default_are_one():
    fn, calls = counted(lambda x, y=2.0: x - y)
    results = [fn(ROW), fn(x=ROW), fn(ROW, 2.0), fn(y=2.0, x=ROW)]

    assert all(np.array_equal(result, ROW - 2) for result in results)
    assert len(calls) == 1


def test_two_arrays_by_name_go_where_they_belong():
    fn = tf.function(lambda a, b: a - b)

    assert fn(b=np.int32(1), a=np.int32(5)) == 4
    assert fn(np.int32(5), np.int32(5)) == 0
    assert fn(b=np.int32(2), a=np.int32(5)) == 3


def test_any_number_of_arguments():
    fn = tf.function(lambda *args, **kwargs: sum(args) + kwargs["k"])

    assert fn(np.int32(1), np.int32(2), k=np.int32(3)) == 6
    assert fn(np.int32(1), k=3) == 4


def test_a_partial_function():
    fn = tf.function(functools.partial(lambda a, b: a - b, 10))

    assert fn(np.int32(3)) == 7
    assert fn.name == "partial"


def test_missing_arguments_are_named():
    fn = tf.function(lambda x, y: x)

    with pytest.raises(BuildTypeError, match=r"<lambda>\(\): missing a required argument: 'y'"):
        fn(ROW)


def test_a_failing_function_keeps_its_error_and_is_tried_again():
    fn, calls = counted(lambda x: x.reshape(3))

    for _ in range(2):
        with pytest.raises(ValueError, match="cannot reshape"):
            fn(ROW)
    assert len(calls) == 2


def test_an_error_when_it_is_repeated_is_numpys():
    fn = tf.function(lambda x, i: tf.gather(x, i))
    fn(ROW, np.int64(0))

    with pytest.raises(ValueError, match="indices must be from 0 to 1"):
        fn(ROW, np.int64(7))


# ---- memory ------------------------------------------------------------------------


def test_results_share_no_memory_with_arguments_or_each_other():
    fn = tf.function(lambda x: (x, x[:1], x.reshape(2, 1)))

    for _ in range(2):
        given = ROW.copy()
        parts = fn(given)
        for part in parts:
            part += 1
        assert np.array_equal(given, ROW)
        assert parts[1] == [2]


def test_constants_cannot_be_changed_through_a_result():
    fn = tf.function(lambda x: np.zeros(2))
    fn(ROW)[:] = 9
    fn(ROW)[:] = 9

    assert np.array_equal(fn(ROW), [0, 0])


def test_what_is_captured_is_copied_when_it_is_used():
    table = np.array([1.0, 1.0], np.float32)

    @tf.function
    def fn(x):
        before = x + table
        table[:] = 5
        return before, x + table

    fn(ROW)
    table[:] = 100

    assert [part.tolist() for part in fn(ROW)] == [[2, 3], [6, 7]]


def test_an_argument_that_is_changed_inside_stays_the_callers():
    @tf.function
    def fn(x):
        x[0] = 9
        x += 1
        return x

    for _ in range(2):
        given = ROW.copy()
        assert np.array_equal(fn(given), [10, 3])
        assert np.array_equal(given, ROW)


# ---- what cannot be recorded -------------------------------------------------------


def branching(x):
    return x * 2 if x.sum() > 0 else -x


def test_a_branch_on_a_value_runs_as_plain_python_and_says_so_once():
    fn, calls = counted(branching)

    with pytest.warns(tf.FunctionWarning, match=r"branches on a value \(test_function.py:\d+\)"):
        assert np.array_equal(fn(ROW), ROW * 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(fn(-ROW), ROW)
        assert np.array_equal(fn(np.ones(3)), [2, 2, 2])
    assert len(calls) == 3


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
@pytest.mark.parametrize(
    "fn",
    [
        lambda x: float(x[0]) + x,
        lambda x: x[: int(x[0])],
        lambda x: x[x > 1],
        lambda x: np.unique(x),
        lambda x: np.array([x[0], x[1]]),
        lambda x: [n * 2 for n in x.tolist()],
        lambda x: np.asarray(x).astype("int8"),
        lambda x: 1.0 in x,
        lambda x: {float(x[0]): x},
        lambda x: np.float32(round(x[1])),
        lambda x: tf.ragged.constant([[1], [2, 3]]),
    ],
)
def test_it_goes_on_with_the_values_of_the_call(fn):
    recorded, calls = counted(fn)
    found, wanted = recorded(ROW), fn(ROW)

    assert len(calls) == 1
    assert repr(found) == repr(wanted) or np.array_equal(
        tf.nest.flatten(found)[0], tf.nest.flatten(wanted)[0]
    )


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
def test_values_stay_right_after_it_gave_up():
    @tf.function
    def fn(x):
        if x[0] > 0:
            x[0] = 7
        x *= 2
        y = x + 1
        y[1:] -= x[1:]
        return y, x

    for _ in range(2):
        assert [part.tolist() for part in fn(ROW)] == [[15, 1], [14, 4]]


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
def test_a_view_that_is_written_to_is_plain_python():
    @tf.function
    def fn(x):
        y = x[1:]
        y[0] = 9
        return x

    assert fn(ROW).tolist() == [1, 9]
    assert ROW.tolist() == [1, 2]


def test_strings_and_ragged_values_are_plain_python_without_a_word():
    fn, calls = counted(lambda text, x: (text, x * 2))

    for _ in range(2):
        assert fn(b"abc", np.int32(2)) == (b"abc", 4)
    assert len(calls) == 2


def test_a_dataset_as_an_argument_is_iterated_at_every_call():
    @tf.function
    def total(ds):
        result = np.int64(0)
        for x in ds:
            result += x
        return result

    assert total(tf.data.Dataset.range(4)) == 6
    assert total(tf.data.Dataset.range(5)) == 10


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
def test_a_captured_dataset_is_iterated_at_every_call():
    values = [1]
    ds = tf.data.Dataset.from_generator(
        lambda: values, output_signature=tf.TensorSpec((), tf.int64)
    )
    fn = tf.function(lambda x: x + sum(ds))

    assert fn(np.int64(0)) == 1
    values.append(10)
    assert fn(np.int64(0)) == 11


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
def test_a_length_that_depends_on_values_is_found_out():
    fn = tf.function(lambda x, n: np.repeat(x, n))

    assert [fn(np.int64(3), np.int64(n)).tolist() for n in (1, 2, 4)] == [[3], [3, 3], [3] * 4]


# ---- signatures --------------------------------------------------------------------


def test_a_declared_length_of_none_is_one_recording():
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def fn(x):
        seen.append(x.shape)
        return x.sum(axis=1), tf.shape(x)

    for n in (1, 3, 0, 7):
        sums, shape = fn(np.ones((n, 2), np.float32))
        assert sums.tolist() == [2] * n
        assert shape.tolist() == [n, 2]
    assert seen == [(None, 2)]


def test_reduce_retracing_relaxes_the_second_shape():
    fn, calls = counted(lambda x: x + 1, reduce_retracing=True)
    for n in (2, 3, 4, 5):
        assert fn(np.zeros(n)).tolist() == [1] * n

    assert len(calls) == 2
    assert "shape=(None,)" in fn.pretty_printed_concrete_signatures()


def test_a_length_that_only_fits_its_own_program_is_recorded_by_itself():
    fn, _ = counted(lambda x: x.reshape(2, -1), input_signature=[tf.TensorSpec([None])])

    assert [fn(np.zeros(n)).shape for n in (2, 4, 2, 6)] == [(2, 1), (2, 2), (2, 1), (2, 3)]


def test_any_rank_can_be_declared():
    fn = tf.function(lambda x: x * 2, input_signature=[tf.TensorSpec(None, tf.float32)])

    assert [fn(np.ones(shape)).shape for shape in [(), (2,), (2, 3)]] == [(), (2,), (2, 3)]


def test_an_argument_that_is_not_declared_keeps_its_default():
    fn = tf.function(lambda x, k=2: x * k, input_signature=[tf.TensorSpec([None])])

    assert fn(ROW).tolist() == [2, 4]
    with pytest.raises(BuildTypeError, match="argument 1 is not declared in input_signature"):
        fn(ROW, 3)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.ones((2, 2)), r"argument 0 must be TensorSpec.*, got the shape \(2, 2\)"),
        (np.array([1j]), "got complex128, which does not fit"),
        ([[1], [2, 3]], r"got \[\[1\], \[2, 3\]\]"),
    ],
)
def test_what_does_not_fit_the_signature_is_refused(value, message):
    fn = tf.function(lambda x: x, input_signature=[tf.TensorSpec([None], tf.float32)])

    with pytest.raises(BuildTypeError, match=message):
        fn(value)


@pytest.mark.parametrize(
    "settings",
    [
        {"jit_compile": True},
        {"experimental_compile": True},
        {"experimental_implements": "x"},
        {"experimental_attributes": {"a": 1}},
        {"experimental_follow_type_hints": True},
    ],
)
def test_what_is_not_there_is_refused(settings):
    with pytest.raises(BuildError, match=r"is not there. Leave it out"):
        tf.function(lambda x: x, **settings)


def test_what_has_no_effect_is_accepted():
    fn = tf.function(
        lambda x: x, autograph=False, jit_compile=False, experimental_relax_shapes=True
    )

    assert fn(np.int32(1)) == 1


# ---- concrete functions --------------------------------------------------------------


def test_a_concrete_function_is_recorded_without_a_call():
    fn, calls = counted(lambda x, k: {"y": x * k})
    concrete = fn.get_concrete_function(tf.TensorSpec([None], tf.float32, name="x"), k=3)

    assert len(calls) == 1
    assert concrete(ROW)["y"].tolist() == [3, 6]
    assert concrete.structured_outputs == {"y": tf.TensorSpec([None], tf.float32)}
    assert concrete.output_shapes == {"y": (None,)}
    assert concrete.output_dtypes == {"y": tf.float32}
    assert fn(ROW, k=3)["y"].tolist() == [3, 6]
    assert len(calls) == 1


def test_a_concrete_function_knows_its_arguments():
    fn = tf.function(lambda x, k, *, scale=1.0: x * k * scale)
    concrete = fn.get_concrete_function(ROW, 2)

    assert concrete.structured_input_signature == (
        (tf.TensorSpec([2], tf.float32, "x"), 2),
        {"scale": 1.0},
    )
    assert concrete.inputs == [tf.TensorSpec([2], tf.float32, "x")]
    assert concrete(x=ROW, k=2, scale=1.0).tolist() == [2, 4]
    assert "x: TensorSpec(shape=(2,), dtype=float32" in str(concrete)


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, "the argument 'x' is missing"),
        ((ROW, 3), {}, "k is 2 in this concrete function, got 3"),
        ((np.ones(3),), {}, r"got the shape \(3,\)"),
        ((ROW,), {"z": 1}, r"arguments it does not have: \['z'\]"),
    ],
)
def test_a_concrete_function_takes_nothing_else(args, kwargs, message):
    concrete = tf.function(lambda x, k: x * k).get_concrete_function(ROW, 2)

    with pytest.raises(BuildTypeError, match=message):
        concrete(*args, **kwargs)


def test_a_concrete_function_that_needs_values_is_recorded_by_its_first_call():
    ran = []
    fn = tf.function(lambda x: tf.py_function(lambda v: ran.append(1) or v, [x], tf.float32) * 2)
    concrete = fn.get_concrete_function(tf.TensorSpec([2], tf.float32))

    assert ran == []
    with pytest.raises(BuildError, match="not known before a call"):
        _ = concrete.structured_outputs
    assert concrete(ROW).tolist() == [2, 4]
    assert concrete(ROW * 2).tolist() == [4, 8]
    assert len(ran) == 2
    assert concrete.structured_outputs.dtype == tf.float32


def test_the_declared_signature_is_that_of_the_concrete_function():
    fn = tf.function(lambda x: x, input_signature=[tf.TensorSpec([None], tf.int32)])

    assert fn.get_concrete_function().structured_outputs == tf.TensorSpec([None], tf.int32)
    assert fn.input_signature == (tf.TensorSpec([None], tf.int32),)


# ---- methods, copies, threads ----------------------------------------------------------


class Scale:
    def __init__(self, by):
        self.by = by
        self.calls = 0

    @tf.function
    def of(self, x):
        self.calls += 1
        return x * self.by


def test_every_object_has_its_own_recordings():
    two, three = Scale(2.0), Scale(3.0)

    assert [o.of(ROW).tolist() for o in (two, three, two)] == [[2, 4], [3, 6], [2, 4]]
    assert (two.calls, three.calls) == (1, 1)
    assert two.of.experimental_get_tracing_count() == 1


def test_a_copied_object_is_recorded_anew():
    two = Scale(2.0)
    two.of(ROW)
    for other in (copy.copy(two), copy.deepcopy(two), pickle.loads(pickle.dumps(two))):
        other.by = 5.0
        assert other.of(ROW).tolist() == [5, 10]


def test_an_object_without_a_dict_works():
    class Slotted:
        __slots__ = ("by",)

        @tf.function
        def of(self, x):
            return x * self.by

    thing = Slotted()
    thing.by = 3.0

    assert thing.of(ROW).tolist() == [3, 6]


def test_a_function_travels_without_its_recordings():
    bias = 1.0
    fn = tf.function(lambda x: x + bias, reduce_retracing=True)
    fn(ROW)
    other = cloudpickle.loads(cloudpickle.dumps(fn))

    assert other.experimental_get_tracing_count() == 0
    assert other(ROW).tolist() == [2, 3]


def test_threads_share_one_recording():
    fn, calls = counted(lambda x: x + 1)
    results = []
    threads = [
        threading.Thread(target=lambda n=n: results.append(int(fn(np.int64(n))))) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results) == list(range(1, 9))
    assert len(calls) == 1


# ---- functions in functions, functions in datasets ---------------------------------------


def test_a_function_inside_a_function_is_recorded_once():
    inner, calls = counted(lambda x: x + 1)
    outer = tf.function(lambda x: inner(inner(x)) * inner(x))

    assert [outer(np.float32(n)) for n in (1, 5)] == [6, 42]
    assert inner(np.float32(3)) == 4
    assert len(calls) == 1


def test_a_function_inside_a_function_may_use_what_is_outside():
    @tf.function
    def outer(x):
        @tf.function
        def inner(y):
            return y * x

        return inner(x) + inner(x + 1)

    assert [outer(np.float32(n)) for n in (1, 3)] == [3, 21]


def test_effects_of_a_function_inside_a_function_happen_at_every_call(capfd):
    @tf.function
    def inner(x):
        tf.print("inner", x)
        return tf.py_function(lambda v: v * 2, [x], tf.int32)

    outer = tf.function(lambda x: inner(inner(x)))

    assert [outer(np.int32(n)) for n in (1, 2)] == [4, 8]
    assert capfd.readouterr().err.split() == [
        "inner",
        "1",
        "inner",
        "2",
        "inner",
        "2",
        "inner",
        "4",
    ]


def test_draws_of_a_function_inside_a_function_are_new_at_every_call():
    inner = tf.function(lambda x: x + tf.random.uniform([4]))
    outer = tf.function(lambda x: (inner(x), inner(x)))
    drawn = [*outer(np.float32(0)), *outer(np.float32(0))]

    assert len({tuple(row) for row in drawn}) == 4


def test_a_function_in_a_map_runs_on_whole_blocks():
    fn, _ = counted(lambda x: {"y": x * 2, "one": 1})
    ds = tf.data.Dataset.range(100).map(fn)
    found = list(ds)

    assert [int(e["y"]) for e in found] == list(range(0, 200, 2))
    assert {type(e["one"]) for e in found} == {np.int32}


def test_too_many_recordings_are_reported():
    fn = tf.function(lambda n: n)
    for n in range(4):
        fn(n)

    with pytest.warns(tf.FunctionWarning, match="5 of the last 5 calls to @function <lambda>"):
        fn(4)
