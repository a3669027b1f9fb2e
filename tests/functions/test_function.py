"""@function: recorded once per signature, repeated afterwards."""

import functools
import warnings
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildTypeError
from tests.functions.recorded import ROW, counted

Point = namedtuple("Point", ["x", "y"])


@dataclass
class Sample:
    x: object
    y: object


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
    assert [value.dtype for value in rest[:3]] == [tf.int32, tf.float32, tf.bool]
    assert all(isinstance(value, tf.Tensor) for value in rest[:3])
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

    assert [fn(n).dtype for n in (1, 1.0, True, -0.0, 0.0)] == [
        tf.int32,
        tf.float32,
        tf.bool,
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
