import numpy as np

import feedline as tf
from feedline import strings
from feedline.graph.function_spec import spec_of_result


def test_unknown_lengths_of_strings_stay_unknown():
    spec = tf.TensorSpec((None,), tf.string)

    assert spec_of_result(strings.length, spec) == tf.TensorSpec((None,), np.int32)
    assert spec_of_result(strings.lower, spec) == spec


def test_known_lengths_of_strings_stay_known():
    spec = tf.TensorSpec((3,), tf.string)

    assert spec_of_result(strings.length, spec) == tf.TensorSpec((3,), np.int32)


def test_unknown_numbers_of_ragged_rows_stay_unknown():
    spec = tf.RaggedTensorSpec((None, None), tf.string, 1)

    assert spec_of_result(strings.lower, spec) == spec


def test_a_function_that_needs_a_number_gets_one():
    spec = {"text": tf.TensorSpec((), tf.string), "x": tf.TensorSpec((2,), np.float32)}

    def scaled(element):
        return element["x"] * strings.to_number(element["text"])

    assert spec_of_result(scaled, spec) == tf.TensorSpec((2,), np.float32)
