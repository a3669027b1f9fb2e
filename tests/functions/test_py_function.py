"""py_function and numpy_function: Python code that runs every time."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildTypeError, SpecError


def test_results_are_cast_as_declared():
    found = tf.py_function(lambda x: x * 2, [np.ones((2, 2))], tf.float32)

    assert found.dtype == tf.float32


def test_several_results_are_a_list():
    found = tf.py_function(lambda x, y: (x, y * 2), [1, 2.5], [tf.int32, tf.float64])

    assert found == [1, 5.0]
    assert [value.dtype for value in found] == [tf.int32, tf.float64]


def test_python_numbers_given_become_int32_and_float32():
    seen = []
    tf.py_function(lambda *args: seen.extend(type(arg) for arg in args), [1, 2.5, "s"], [])

    assert seen == [np.int32, np.float32, str]


def test_numpy_function_insists_on_the_dtype():
    with pytest.raises(SpecError, match=r"must return float32 as Tout declares, got float64\[2\]"):
        tf.numpy_function(lambda x: x, [np.ones(2)], tf.float32)
    assert tf.numpy_function(lambda: 2.5, [], tf.float32).dtype == tf.float32


@pytest.mark.parametrize(
    ("result", "tout", "message"),
    [
        ((1, 2, 3), [tf.int32, tf.int32], "must return 2 values as Tout declares, got 3"),
        (None, tf.int32, "must return 1 values as Tout declares, got 0"),
        ("text", tf.int32, "must return int32 as Tout declares, got str"),
        (3, tf.string, r"must return string as Tout declares, got int32"),
    ],
)
def test_what_was_not_declared_is_refused(result, tout, message):
    with pytest.raises(SpecError, match=message):
        tf.py_function(lambda: result, [], tout)


def test_wrong_arguments_are_refused():
    with pytest.raises(BuildTypeError, match="func must be callable"):
        tf.py_function(3, [], tf.int32)
    with pytest.raises(BuildTypeError, match="inp must be a list"):
        tf.py_function(abs, 3, tf.int32)
    with pytest.raises(BuildTypeError, match="Tout must be a dtype"):
        tf.py_function(abs, [3], "nothing")


def test_the_functions_own_error_comes_out():
    with pytest.raises(ZeroDivisionError):
        tf.py_function(lambda: 1 / 0, [], tf.int32)


def test_who_calls_numpy_is_told_to_drop_it():
    with pytest.raises(AttributeError) as caught:
        tf.py_function(lambda x: x.numpy(), [np.ones(2)], tf.float64)

    assert "drop .numpy()" in caught.value.__notes__[0]


def test_it_runs_once_at_every_call_of_a_function():
    ran = []

    @tf.function
    def fn(x):
        made = tf.py_function(lambda v: ran.append(float(v)) or v * 2, [x], tf.float32)
        return made + 1

    assert [fn(np.float32(n)) for n in range(3)] == [1, 3, 5]
    assert ran == [0, 1, 2]


def test_it_may_return_another_length_every_time():
    fn = tf.function(lambda n: tf.py_function(np.arange, [n], tf.int64) * 2)

    assert [fn(np.int64(n)).tolist() for n in (2, 3, 0)] == [[0, 2], [0, 2, 4], []]


def test_it_runs_without_arguments_too():
    ran = []
    fn = tf.function(lambda x: (tf.py_function(lambda: ran.append(1), [], []), x)[1])
    fn(np.int32(1))
    fn(np.int32(2))

    assert len(ran) == 2


def test_a_result_that_is_text_makes_the_function_plain_python():
    fn = tf.function(lambda x: tf.py_function(lambda v: f"<{v}>", [x], tf.string))

    with pytest.warns(tf.FunctionWarning, match="py_function that returns strings"):
        assert fn(np.int32(1)) == "<1>"
    assert fn(np.int32(2)) == "<2>"


def test_a_dataset_runs_it_element_by_element():
    ran = []
    ds = tf.data.Dataset.range(50).map(
        lambda x: tf.py_function(lambda v: ran.append(1) or v + 1, [x], tf.int64)
    )

    assert [int(x) for x in ds] == list(range(1, 51))
    assert len(ran) == 50
    assert "plain Python" in ds.explain()
