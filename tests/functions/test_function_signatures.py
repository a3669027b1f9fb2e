"""@function: declared signatures, and concrete functions."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError
from tests.functions.recorded import ROW, counted

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


def test_type_hints_are_not_followed():
    with pytest.raises(BuildError, match="experimental_follow_type_hints must be left out"):
        tf.function(lambda x: x, experimental_follow_type_hints=True)


@pytest.mark.parametrize(
    "settings",
    [
        {"autograph": False},
        {"jit_compile": True},
        {"experimental_compile": True},
        {"experimental_implements": "x"},
        {"experimental_attributes": {"a": 1}},
        {"experimental_relax_shapes": True},
    ],
)
def test_what_has_no_effect_on_results_is_accepted(settings):
    fn = tf.function(lambda x: x + 1, **settings)

    assert fn(np.int32(1)) == 2


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
    assert "x: TensorSpec(shape=(2,), dtype=tf.float32" in str(concrete)


def test_a_concrete_function_takes_structures_of_arrays():
    fn = tf.function(lambda xs, k: xs["a"] + xs["b"] * k)
    concrete = fn.get_concrete_function({"a": ROW, "b": ROW}, 2)

    assert concrete({"a": ROW, "b": ROW + 1}).tolist() == [5, 8]
    assert concrete(xs={"a": ROW, "b": ROW + 1}, k=2).tolist() == [5, 8]
    for other in ({"a": ROW}, {"a": ROW, "b": np.ones(3, np.float32)}):
        with pytest.raises(BuildTypeError, match="another structure, dtype or shape"):
            concrete(other)


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
