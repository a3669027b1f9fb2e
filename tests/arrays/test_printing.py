"""print writes what TensorFlow's writes, at every call."""

import sys

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError

TEXTS = [
    ((np.array([1, 2, 3]), "a", 1.5, {"k": np.array([1.5, 2.0])}), "[1 2 3] a 1.5 {'k': [1.5 2]}"),
    (([1, "x"], (2,)), "[1, 'x'] (2,)"),
    ((np.arange(10),), "[0 1 2 ... 7 8 9]"),
    ((np.array([True, False]), np.float32(1), None), "[1 0] 1 None"),
    ((np.array(["a", "b"], object), b"raw"), '["a" "b"] raw'),
    ((np.arange(4).reshape(2, 2),), "[[0 1]\n [2 3]]"),
    ((np.arange(8).reshape(2, 2, 2),), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"),
    ((np.zeros(0), np.float32(1 / 3), np.float32(1e20)), "[] 0.333333343 1e+20"),
]


@pytest.mark.parametrize(("values", "text"), TEXTS)
def test_values_are_written_to_stderr(values, text, capfd):
    tf.print(*values)

    assert capfd.readouterr().err == text + "\n"


def test_everything_can_be_shown(capfd):
    tf.print(np.arange(8), "end", summarize=-1, sep="|", end="!")

    assert capfd.readouterr().err == "[0 1 2 3 4 5 6 7]|end!"


def test_another_stream_and_a_file(capfd, tmp_path):
    tf.print("out", output_stream=sys.stdout)
    tf.print("file", output_stream=f"file://{tmp_path}/log")

    assert capfd.readouterr().out == "out\n"
    assert (tmp_path / "log").read_text() == "file\n"


def test_a_function_prints_at_every_call(capfd):
    @tf.function
    def fn(x):
        tf.print("x is", x)
        tf.print("no array at all")
        return x

    fn(np.int32(1))
    fn(np.int32(2))

    assert capfd.readouterr().err == "x is 1\nno array at all\nx is 2\nno array at all\n"


def test_a_dataset_prints_for_every_element(capfd):
    ds = tf.data.Dataset.range(40).map(lambda x: (tf.print(x), x)[1])
    list(ds)

    assert capfd.readouterr().err.split() == [str(x) for x in range(40)]


def test_unknown_arguments_are_refused():
    with pytest.raises(BuildError, match=r"unknown arguments \['wrong'\]"):
        tf.print(1, wrong=2)
