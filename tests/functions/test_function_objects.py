"""@function on methods, in threads, in other functions and in datasets."""

import copy
import pickle
import threading

import cloudpickle
import numpy as np
import pytest

import feedline as tf
from tests.functions.recorded import ROW, counted

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
    assert {e["one"].dtype for e in found} == {tf.int32}


def test_too_many_recordings_are_reported():
    fn = tf.function(lambda n: n)
    for n in range(4):
        fn(n)

    with pytest.warns(tf.FunctionWarning, match="5 of the last 5 calls to @function <lambda>"):
        fn(4)
