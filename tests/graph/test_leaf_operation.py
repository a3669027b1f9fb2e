import numpy as np
import pytest

import feedline as tf
from feedline.column import Bytes, Dense, Ragged, column_of
from feedline.data import Dataset
from feedline.graph import leaf_operation as module
from feedline.graph.leaf_operation import leaf_operation
from tests.graph.rules.recording import recorded

WORDS = np.array([b"ab" * (i % 5) for i in range(200)], object)


def pairs():
    return Dataset.from_tensor_slices((WORDS, np.arange(200)))


def ours(function):
    """As if it were one of Feedline's functions, which run outside of the sandbox."""
    function.__module__ = module.__name__
    return function


@ours
@leaf_operation(spec=lambda text: tf.TensorSpec((), tf.string))
def upper(text):
    return text.upper()


def lengths(column):
    if isinstance(column, Bytes):
        return [Dense(np.diff(column.offsets))]
    return [Dense(np.array([len(text) for text in column.rows()]))]


@ours
@leaf_operation(spec=lambda text: tf.TensorSpec((), np.int64), columns=lengths)
def length(text):
    return np.int64(len(text))


@ours
@leaf_operation(
    spec=lambda text: tf.TensorSpec((), np.int64),
    columns=lambda column: [Dense(np.zeros(len(column), np.int64))],
)
def wrong(text):
    return np.int64(len(text))


@ours
@leaf_operation(
    spec=lambda text, dtype: {
        "raw": tf.TensorSpec((None,), dtype),
        "n": tf.TensorSpec((), np.int64),
    }
)
def decoded(text, dtype):
    return {"raw": np.frombuffer(text, dtype), "n": np.int64(len(text))}


def compare(fn):
    ds = pairs().map(fn)
    assert list(map(repr, ds)) == list(map(repr, pairs().map(fn, vectorize=False)))
    return ds.explain()


def test_called_with_leaves_it_is_the_function_itself():
    assert upper(b"a") == b"A"
    assert upper.__name__ == "upper"


@pytest.mark.parametrize(
    "fn",
    [
        lambda text, i: length(text) * 2 + i,
        lambda text, i: (length(text), text),
        lambda text, i: length(upper(text)) + 1,
        lambda text, i: decoded(text, np.uint8)["raw"] + length(text),
    ],
)
def test_what_it_makes_goes_on_as_arrays_of_whole_blocks(fn):
    assert "vectorised" in compare(fn)


def test_a_rule_that_gives_something_else_is_not_used():
    assert "plain Python" in compare(lambda text, i: wrong(text))


def test_lengths_that_are_declared_unknown_are_unknown():
    ds = pairs().map(lambda text, i: decoded(text, np.uint8)["raw"])

    assert ds.element_spec == tf.TensorSpec((None,), np.uint8)
    assert isinstance(column_of(list(ds)), Ragged)


def test_strings_that_it_makes_have_their_spec():
    assert pairs().map(lambda text, i: upper(text)).element_spec == tf.TensorSpec((), tf.string)


def test_a_recorded_function_goes_on_with_what_it_was_given():
    @tf.function
    def f(x):
        return upper(b"x"), x + 1

    assert f(np.int64(1))[0] == b"X"


def test_an_error_is_that_of_the_function_on_the_element():
    @ours
    @leaf_operation(spec=lambda text: tf.TensorSpec((), np.int64))
    def number(text):
        return np.int64(int(text or b"0"))

    with pytest.raises(ValueError, match="invalid literal") as raised:
        list(pairs().map(lambda text, i: number(text)))

    assert "element 1" in raised.value.__notes__[0]


@ours
@leaf_operation(spec=lambda rows: tf.TensorSpec((None, None), np.float64))
def beginning(rows):
    return rows[: 1 + int(rows[0, 0]) % 3]


def test_a_part_of_an_argument_that_it_returns_is_not_written_over():
    matrices = np.arange(120.0).reshape(10, 3, 4) + np.arange(10)[:, None, None]

    def fn(x):
        doubled = x * 2.0
        return beginning(doubled), doubled + 1.0

    program = recorded(fn, [matrices], sealed=True)
    parts, _ = program.run([Dense(matrices)], 10)

    for part, matrix in zip(parts.rows(), matrices * 2.0, strict=True):
        np.testing.assert_array_equal(part, beginning(matrix))
