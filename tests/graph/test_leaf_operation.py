import numpy as np
import pytest

import feedline as tf
from feedline.block import Block
from feedline.column import Bytes, Dense, Ragged, Strings, column_of
from feedline.data import Dataset
from feedline.graph import leaf_operation as module
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.vectorizer import Vectorizer
from feedline.structure import structure_of

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


@ours
@leaf_operation(
    spec=lambda text: {
        "flat": tf.TensorSpec((None,), np.int64),
        "deep": tf.TensorSpec((None, None), np.int64),
    },
    columns=lambda column: [column_of([numbered(t)[key] for t in rows(column)]) for key in KEYS],
)
def numbers_in(text):
    return numbered(text)


KEYS = ("flat", "deep")


def rows(column):
    return column.rows()


def numbered(text):
    if not text.isdigit():
        raise ValueError("no digits")
    flat = np.array([int(digit) for digit in text.decode()])
    return {"flat": flat, "deep": flat[:, None] * np.ones((1, len(flat)), np.int64)}


def test_what_it_makes_of_no_string_at_hand_is_told_by_its_spec():
    empty = Dataset.from_generator(lambda: iter(()), output_signature=tf.TensorSpec((), tf.string))
    ds = empty.map(lambda text: (numbers_in(text)["flat"] * 2, numbers_in(text)["deep"]))

    assert ds.element_spec == (
        tf.TensorSpec((None,), np.int64),
        tf.TensorSpec((None, None), np.int64),
    )


def test_arrays_that_differ_in_two_axes_are_handed_on():
    digits = np.array([b"1" * (1 + i % 3) for i in range(60)], object)
    ds = Dataset.from_tensor_slices(digits).map(lambda text: numbers_in(text)["deep"])

    assert [row.shape for row in ds] == [(1 + i % 3,) * 2 for i in range(60)]
    assert "vectorised" in ds.explain()


def test_batches_of_records_are_run_at_once_one_by_one():
    words = np.array([b"ab" * (i % 5) for i in range(64)], object)
    buffer = np.frombuffer(b"".join(words), np.uint8)
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in words])])
    seen = []

    @ours
    @leaf_operation(
        spec=lambda texts: tf.TensorSpec((), np.int64),
        columns=lambda column: [counted(column)],
    )
    def count(texts):
        return np.int64(len(texts))

    def counted(column):
        seen.append(type(column))
        return Dense(np.array([len(row) for row in column.rows()]))

    block = Block(structure_of(b""), (Bytes(buffer, offsets).group(32),), 2)
    vectorizer = Vectorizer()

    (column,) = vectorizer.run(lambda texts: count(texts), block.slice(0, 1), 0).columns
    assert column.rows() == [32]
    (column,) = vectorizer.run(lambda texts: count(texts), block.slice(1, 2), 0).columns
    assert column.rows() == [32]
    assert Strings in seen


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
