"""with-statements of TensorFlow change nothing, alone and inside functions of every kind."""

import logging

import numpy as np
import pytest

import feedline as tf


def test_names_of_scopes_are_joined_as_in_tensorflow():
    with tf.name_scope("a") as outer, tf.name_scope("b") as inner:
        assert tf.get_current_name_scope() == "a/b"
        with tf.name_scope("c/") as absolute:
            assert tf.get_current_name_scope() == "c"
        assert tf.get_current_name_scope() == "a/b"
        with tf.name_scope("") as top:
            assert tf.get_current_name_scope() == ""

    assert [outer, inner, absolute, top] == ["a/", "a/b/", "c/", ""]
    assert tf.get_current_name_scope() == ""
    assert tf.name_scope("a").name == "a"
    with pytest.raises(ValueError, match=r"name_scope\(\): name must be a string, got 3"):
        tf.name_scope(3)


DEVICES = [None, "", "cpu:0", "/cpu:0", "/GPU:0", "GPU", "/device:GPU:*", "/CPU:1"]


@pytest.mark.parametrize("name", [*DEVICES, "/job:localhost/replica:0/task:0/device:CPU:0"])
def test_devices_are_taken_by_every_name_and_the_processor_does_the_work(name):
    with tf.device(name):
        assert tf.constant([1, 2]).numpy().tolist() == [1, 2]


@pytest.mark.parametrize("name", ["foo", "/cpu:x", 3, "/job"])
def test_what_names_no_device_is_refused(name):
    with pytest.raises(ValueError, match=r"device\(\): "):
        tf.device(name)


def test_devices_of_other_machines_and_functions_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="on another machine"):
        tf.device("/job:worker/task:1/cpu:0")
    with pytest.raises(RuntimeError, match="functions are not supported"):
        tf.device(lambda op: "/cpu:0")


def test_dependencies_are_a_list_or_none():
    with tf.control_dependencies(None), tf.control_dependencies([None, tf.constant(1)]):
        pass
    with pytest.raises(TypeError, match="control_inputs must be a list"):
        tf.control_dependencies(len)


def everything(x):
    with tf.name_scope("scope"), tf.device("/cpu:0"), tf.init_scope():
        check = tf.debugging.assert_non_negative(x)
        with tf.control_dependencies([check]):
            return tf.cast(x, tf.float32) / 2 if tf.executing_eagerly() else x


@pytest.mark.parametrize("vectorize", [True, False])
def test_functions_with_contexts_run_as_without(vectorize):
    options = tf.data.Options()
    options.vectorize = vectorize
    ds = tf.data.Dataset.range(5).map(everything).with_options(options)

    assert [float(x) for x in ds] == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert tf.function(everything)(tf.constant([2, 4])).numpy().tolist() == [1.0, 2.0]


def test_functions_with_contexts_are_vectorised():
    assert "vectorised" in tf.data.Dataset.range(5).map(everything).explain()


def test_code_runs_eagerly_everywhere():
    assert tf.executing_eagerly() is True
    assert tf.inside_function() is False


def test_the_logger_is_the_one_that_pipelines_write_to():
    assert tf.get_logger() is logging.getLogger("feedline")


@pytest.mark.parametrize(
    ("value", "static"),
    [
        (tf.constant([1, 2]), np.int32([1, 2])),
        (tf.constant("a"), b"a"),
        ([1], [1]),
        (tf.ragged.constant([[1]]), None),
    ],
)
def test_the_static_value_of_a_tensor_is_its_value(value, static):
    found = tf.get_static_value(value)

    assert np.array_equal(found, static) if static is not None else found is None
