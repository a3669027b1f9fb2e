import threading

import pytest

import feedline as tf
from feedline.defaults import set_always_ordered


@pytest.fixture
def eagerly():
    tf.config.run_functions_eagerly(True)
    yield
    tf.config.run_functions_eagerly(False)


def logged(log):
    def function(x):
        log.append((type(x).__name__, threading.current_thread()))
        return x + 1

    return function


def test_functions_are_called_every_time(eagerly):
    log = []
    function = tf.function(logged(log))
    results = [function(tf.constant([n])).numpy().tolist() for n in range(3)]

    assert results == [[1], [2], [3]]
    assert len(log) == 3
    assert tf.config.functions_run_eagerly()
    assert function.experimental_get_tracing_count() == 0


def test_functions_inside_functions_and_with_a_signature_are_called_every_time(eagerly):
    log = []
    inner = tf.function(logged(log), input_signature=[tf.TensorSpec([None], tf.float32)])
    outer = tf.function(lambda x: inner(x) * 2)

    assert [outer([1, 2]).numpy().tolist() for _ in range(2)] == [[4.0, 6.0]] * 2
    assert len(log) == 2


def test_functions_of_datasets_are_called_for_every_element(eagerly):
    log = []
    ds = tf.data.Dataset.range(20).map(logged(log), num_parallel_calls=4)

    assert list(ds.as_numpy_iterator()) == list(range(1, 21))
    assert len(log) == 20
    assert {thread for _, thread in log} == {threading.current_thread()}


def test_functions_get_tensors(eagerly):
    assert tf.function(lambda x: x.get_shape().as_list())(tf.constant([1, 2])) == [2]


def test_functions_are_recorded_again_afterwards():
    tf.config.experimental_run_functions_eagerly(True)
    tf.config.experimental_run_functions_eagerly(False)
    log = []
    function = tf.function(logged(log))
    for n in range(3):
        function(tf.constant([n]))

    assert not tf.config.experimental_functions_run_eagerly()
    assert len(log) == 1


def test_elements_come_in_order_when_that_is_asked_for_everywhere():
    tf.config.experimental.enable_op_determinism()
    first = threading.Event()

    def late(x):
        if x == 0:
            assert first.wait(60)
        if x == 3:
            first.set()
        return x

    try:
        ds = tf.data.Dataset.range(8).map(
            lambda x: tf.py_function(late, [x], tf.int64),
            num_parallel_calls=4,
            deterministic=False,
        )
        assert [int(x) for x in ds] == list(range(8))
    finally:
        set_always_ordered(False)
