"""The programs about graph functions that Feedline was made for run with one line changed."""

import sys

import numpy as np
import pytest

import feedline as tf


def test_runtime_data_as_arguments(capsys):
    @tf.function
    def process_data(input_tensor, scalar_weight):
        """Processes input tensor by applying a weighted scaling operation."""
        scaled_tensor = input_tensor * scalar_weight
        return scaled_tensor

    # Runtime data as tensors
    input_data = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    weight = tf.constant(2.0)

    # Function call with runtime tensor data
    result = process_data(input_data, weight)
    sys.stdout.write(f"{result}\n")
    assert result.tolist() == [[2, 4], [6, 8]]
    assert result.dtype == tf.float32

    weight_incorrect = 2.0
    result = process_data(input_data, weight_incorrect)
    assert result.tolist() == [[2, 4], [6, 8]]
    assert result.dtype == tf.float32
    assert "[[2. 4.]" in capsys.readouterr().out


def test_arbitrary_python_objects():
    @tf.function
    def process_numpy_array(numpy_array):
        """Processes a NumPy array within the TensorFlow graph."""
        processed_array = tf.py_function(lambda x: x * 2, [numpy_array], tf.float32)
        return processed_array

    # Runtime data as NumPy array
    numpy_data = np.array([[1.0, 2.0], [3.0, 4.0]])

    # Function call with runtime NumPy data
    result = process_numpy_array(numpy_data)
    assert result.tolist() == [[2, 4], [6, 8]]
    assert result.dtype == tf.float32


def test_data_pipelining():
    @tf.function
    def process_dataset(dataset_element):
        """Processes a single element from the dataset."""
        x, y = dataset_element
        # Perform operations on x and y
        return x + y

    # Runtime data as a tf.data.Dataset
    data = tf.data.Dataset.from_tensor_slices(([1, 2, 3], [4, 5, 6]))
    data = data.batch(2)  # Batching the data for efficient processing

    # Iterate and process the dataset
    results = []
    for element in data:
        result = process_dataset(element)
        results.append(result.tolist())
    assert results == [[5, 7], [9]]


def test_simple_batch_loading():
    x_train = np.random.default_rng(0).integers(0, 256, (100, 28, 28), np.uint8)
    y_train = np.arange(100, dtype=np.uint8)
    x_train = x_train / 255.0

    # Create tf.data.Dataset
    dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    dataset = dataset.shuffle(buffer_size=10000).batch(32)

    sizes = [(x_batch.shape, y_batch.shape) for x_batch, y_batch in dataset]
    assert sizes == [((32, 28, 28), (32,))] * 3 + [((4, 28, 28), (4,))]


@pytest.mark.parametrize("epochs", [2])
def test_a_training_step_is_a_function(epochs):
    """A step that is recorded, fed from a dataset: the pattern of all these programs."""

    @tf.function
    def step(x, y, weights):
        error = tf.reduce_sum(x * weights, axis=1) - y
        return tf.reduce_mean(tf.square(error)), tf.reduce_mean(tf.expand_dims(error, 1) * x, 0)

    x = np.random.default_rng(0).normal(size=(64, 3)).astype(np.float32)
    ds = tf.data.Dataset.from_tensor_slices((x, x @ np.array([1, 2, 3], np.float32))).batch(16)
    weights = tf.zeros([3])
    losses = []
    for _ in range(epochs * 20):
        for xb, yb in ds:
            loss, slope = step(xb, yb, weights)
            weights = weights - 0.3 * slope
            losses.append(loss)

    assert losses[-1] < 0.01 * losses[0]
    assert step.experimental_get_tracing_count() == 1
