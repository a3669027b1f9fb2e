"""TensorArray: what TensorFlow's gives, directly, in loops and in functions of datasets."""

import numpy as np
import pytest

import feedline as tf


def test_arrays_are_written_and_stacked():
    array = tf.TensorArray(tf.float32, size=2)
    array = array.write(0, 1).write(1, np.float32(2.5))

    stacked = array.stack()

    assert stacked.dtype == np.float32
    assert stacked.numpy().tolist() == [1.0, 2.5]
    assert array.size().numpy() == 2


def test_what_was_not_written_is_zeros():
    array = tf.TensorArray(tf.float32, size=3).write(1, [1.0, 2.0])

    assert array.stack().numpy().tolist() == [[0, 0], [1, 2], [0, 0]]
    assert tf.TensorArray(tf.string, size=2).write(0, b"a").stack().numpy().tolist() == [b"a", b""]
    assert tf.TensorArray(tf.int32, 2, element_shape=[2]).stack().shape == (2, 2)
    assert tf.TensorArray(tf.int32, 0, element_shape=[2]).stack().shape == (0, 2)
    with pytest.raises(ValueError, match="nothing was written at index 0"):
        tf.TensorArray(tf.float32, size=2).stack()


def test_it_grows_if_it_may():
    array = tf.TensorArray(tf.int32, 0, dynamic_size=True, clear_after_read=False)
    for i in range(3):
        array = array.write(tf.constant(i), [i, i])

    assert array.concat().numpy().tolist() == [0, 0, 1, 1, 2, 2]
    assert array.gather([2, 0]).numpy().tolist() == [[2, 2], [0, 0]]
    assert array.read(1).numpy().tolist() == array.read(1).numpy().tolist() == [1, 1]
    assert (array.dtype, array.dynamic_size, array.element_shape.as_list()) == (np.int32, True, [2])
    with pytest.raises(tf.errors.OutOfRangeError, match="dynamic_size=True"):
        tf.TensorArray(tf.int32, 1).write(1, 0)


def test_an_array_is_read_once():
    array = tf.TensorArray(tf.float32, size=1).write(0, 4.0)

    assert array.read(0).numpy() == 4.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="clear_after_read=False"):
        array.read(0)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("text", tf.errors.InvalidArgumentError),
        (np.int64(3), tf.errors.InvalidArgumentError),
        ([1.0, 2.0], ValueError),
    ],
)
def test_what_does_not_fit(value, error):
    array = tf.TensorArray(tf.float32, size=2).write(0, 1.0)

    with pytest.raises(error, match=r"TensorArray\.write\(\)"):
        array.write(1, value)


def test_places_that_are_not_there():
    array = tf.TensorArray(tf.float32, size=2)

    with pytest.raises(tf.errors.OutOfRangeError, match="must not be negative"):
        array.write(-1, 1.0)
    with pytest.raises(tf.errors.OutOfRangeError, match="is not in 0 to 1"):
        array.read(2)
    with pytest.raises(ValueError, match="size must be given"):
        tf.TensorArray(tf.float32)


def test_an_array_is_taken_apart():
    rows = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    assert tf.TensorArray(tf.float32, 2).unstack(rows).read(1).numpy().tolist() == [3, 4]
    assert tf.TensorArray(tf.float32, 3).scatter([2, 0], rows).stack().numpy().tolist() == [
        [3, 4],
        [0, 0],
        [1, 2],
    ]
    pieces = tf.TensorArray(tf.float32, 2).split([1.0, 2.0, 3.0], [1, 2])
    assert pieces.read(1).numpy().tolist() == [2, 3]
    assert pieces.identity() is pieces
    with pytest.raises(tf.errors.OutOfRangeError, match="do not fit"):
        tf.TensorArray(tf.float32, 1).unstack(rows)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must sum up to 3"):
        tf.TensorArray(tf.float32, 2).split([1.0, 2.0, 3.0], [1, 1])


def test_pieces_of_different_lengths_are_joined():
    array = tf.TensorArray(tf.float32, 2, infer_shape=False).write(0, [1.0]).write(1, [2.0, 3.0])

    assert array.concat().numpy().tolist() == [1, 2, 3]


def looped(n):
    array = tf.TensorArray(tf.int32, size=n)
    for i in tf.range(n):
        array = array.write(i, i * i)
    return array.stack()


def unrolled(x):
    array = tf.TensorArray(tf.int64, size=3)
    for i in range(3):
        array = array.write(i, x + i)
    return array.stack()


@pytest.mark.parametrize("given", [unrolled, tf.function(unrolled)], ids=["plain", "function"])
def test_in_functions_of_datasets(given):
    ds = tf.data.Dataset.range(40).map(given)

    assert [x.numpy().tolist() for x in ds] == [[n, n + 1, n + 2] for n in range(40)]


def test_loops_over_values():
    ds = tf.data.Dataset.range(3).map(lambda x: looped(tf.cast(x, tf.int32)))

    assert [x.numpy().tolist() for x in ds] == [[], [0], [0, 1]]


def test_in_a_while_loop():
    def body(i, array):
        return i + 1, array.write(i, tf.cast(i, tf.float32))

    _, array = tf.while_loop(lambda i, _: i < 3, body, (0, tf.TensorArray(tf.float32, 3)))
    assert array.stack().numpy().tolist() == [0, 1, 2]

    def stacked(x):
        start = tf.TensorArray(tf.float32, 3)
        return tf.while_loop(lambda i, _: i < 3, body, (tf.constant(0), start))[1].stack() + x

    ds = tf.data.Dataset.from_tensor_slices(np.arange(20, dtype=np.float32)).map(stacked)
    assert [x.numpy().tolist() for x in ds] == [[n, n + 1, n + 2] for n in range(20)]
