"""What element_spec takes from a generator comes out of the next iteration."""

import numpy as np
import pytest

import feedline as tf

LONG = tf.TensorSpec((), tf.int64)


def _plus_one(x):
    return int(x) + 1  # cannot be recorded: elements must be looked at


def _once(values, calls=None):
    iterator = iter(values)

    def generator():
        if calls is not None:
            calls.append(1)
        return iterator

    return tf.data.Dataset.from_generator(generator, output_signature=LONG)


@pytest.mark.parametrize("executor", [None, "inline", "threads", "processes"])
def test_a_generator_that_runs_once_loses_nothing(executor):
    options = tf.data.Options()
    options.executor = executor
    calls = []
    ds = _once(range(12), calls).map(_plus_one).with_options(options)
    batches = ds.batch(4)

    specs = [ds.element_spec, batches.element_spec, ds.filter(lambda x: x > 3).element_spec]

    assert specs[1] == tf.TensorSpec([None], tf.int32)
    assert [b.tolist() for b in batches] == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    assert calls == [1]


def test_the_background_process_loses_nothing_either():
    options = tf.data.Options()
    options.executor = "background"
    ds = _once(range(6)).map(_plus_one).with_options(options)

    assert ds.element_spec == tf.TensorSpec([], tf.int32)
    assert list(ds) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_a_generator_that_ends_under_the_look_is_handed_out_whole(count):
    ds = _once(range(count)).map(_plus_one)

    _ = ds.element_spec

    assert list(ds) == list(range(1, count + 1))


def test_each_iteration_begins_a_generator_of_its_own():
    calls = []

    def generator():
        calls.append(1)
        yield from range(5)

    ds = tf.data.Dataset.from_generator(generator, output_signature=LONG).map(_plus_one)
    _ = ds.element_spec
    first, second = iter(ds), iter(ds)

    assert [next(first), next(second), next(first)] == [1, 1, 2]
    assert list(ds) == [1, 2, 3, 4, 5]
    assert len(calls) == 3


def test_an_element_that_fails_under_the_look_fails_in_the_iteration():
    def generator():
        yield 1
        yield "no number"
        yield 2

    ds = tf.data.Dataset.from_generator(generator, output_signature=LONG).map(_plus_one)
    _ = ds.element_spec
    iterator = iter(ds)

    assert next(iterator) == 2
    with pytest.raises(tf.errors.FeedlineError, match="element 1"):
        next(iterator)
    assert next(iterator) == 3


def test_an_exception_of_the_generator_comes_out_again():
    def fail():
        yield 1
        raise KeyError("mine")

    iterator = fail()
    ds = tf.data.Dataset.from_generator(lambda: iterator, output_signature=LONG).map(_plus_one)
    _ = ds.element_spec
    seen = iter(ds)

    assert next(seen) == 2
    with pytest.raises(KeyError, match="mine"):
        next(seen)


def test_a_buffer_that_is_written_again_is_handed_out_as_it_was():
    def generator():
        buffer = np.zeros(2, np.int64)
        for number in range(4):
            buffer[:] = number
            yield buffer

    iterator = generator()
    ds = tf.data.Dataset.from_generator(
        lambda: iterator, output_signature=tf.TensorSpec([2], tf.int64)
    ).map(lambda x: x + int(x[0]))
    _ = ds.element_spec

    assert [x.tolist() for x in ds] == [[2 * number] * 2 for number in range(4)]


def test_a_state_continues_after_the_spec_was_asked_for():
    ds = tf.data.Dataset.from_generator(lambda: iter(range(9)), output_signature=LONG)
    ds = ds.map(_plus_one)
    iterator = iter(ds)
    next(iterator), next(iterator)
    state = iterator.state_dict()
    again = iter(ds)
    _ = ds.element_spec
    again.load_state_dict(state)
    with pytest.warns(RuntimeWarning, match="run again"):
        rest = list(again)

    assert rest == [3, 4, 5, 6, 7, 8, 9]


def test_a_generator_that_nobody_reads_is_closed():
    closed = []

    def generator():
        try:
            yield from range(10)
        finally:
            closed.append(1)

    ds = tf.data.Dataset.from_generator(generator, output_signature=LONG).map(_plus_one)
    _ = ds.element_spec
    assert closed == []
    with_first = iter(ds)
    next(with_first)
    with_first.close()

    assert closed == [1]


def test_the_spec_raises_what_the_function_raises():
    def fail(x):
        raise KeyError(int(x))

    with pytest.raises(KeyError, match="0") as caught:
        _ = tf.data.Dataset.range(3).map(fail).batch(2).element_spec

    assert "element 0" in caught.value.__notes__[0]


def test_a_function_is_looked_at_once_for_all_that_follows():
    ran = []

    def fn(x):
        ran.append(1)
        return int(x)

    ds = tf.data.Dataset.range(9).map(fn)
    _ = ds.element_spec
    seen = len(ran)
    _ = ds.batch(2).element_spec, ds.take(3).element_spec

    assert len(ran) == seen <= 3
