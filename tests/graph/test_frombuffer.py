import numpy as np
import pytest

import feedline as tf
from feedline.block import Block
from feedline.column import Bytes, Ragged
from feedline.data import Dataset
from feedline.graph.frombuffer import frombuffer
from feedline.graph.record import record
from feedline.structure import LEAF

WORDS = [bytes(range(4 * (i % 5))) for i in range(100)]


def words():
    return Dataset.from_tensor_slices(np.array(WORDS, object))


@pytest.mark.parametrize(
    "fn",
    [
        lambda text: np.frombuffer(text, np.uint8).astype(np.float32) / 255,
        lambda text: np.frombuffer(text, dtype="<i2") + 1,
        lambda text: np.frombuffer(text, np.uint8, count=-1),
    ],
)
def test_numbers_of_byte_strings_are_computed_for_whole_blocks(fn):
    ds = words().map(fn)

    assert list(map(repr, ds)) == list(map(repr, words().map(fn, vectorize=False)))
    assert "vectorised" in ds.explain()


def test_a_length_that_does_not_fit_is_the_error_of_its_element():
    ds = words().map(lambda text: np.frombuffer(text, np.float64))

    with pytest.raises(ValueError, match="multiple of element size") as raised:
        list(ds)

    assert "element 1" in raised.value.__notes__[0]


def test_a_column_of_bytes_is_not_taken_apart():
    data = np.frombuffer(b"".join(WORDS), np.uint8)
    offsets = np.cumsum([0, *map(len, WORDS)])
    block = Block(LEAF, (Bytes(data, offsets),), len(WORDS))
    program = record(lambda text: np.frombuffer(text, np.uint8) + np.uint8(1), block).program

    (made,) = program.run(block.columns, block.length)

    assert isinstance(made, Ragged)
    assert np.array_equal(made.values, data + np.uint8(1))


def test_the_spec_has_an_unknown_length_unless_a_count_is_given():
    of_any = words().map(lambda text: np.frombuffer(text, np.uint8))
    of_two = Dataset.from_tensors(b"abc").map(lambda text: np.frombuffer(text, np.uint8, 2))

    assert of_any.element_spec == tf.TensorSpec((None,), np.uint8)
    assert of_two.element_spec == tf.TensorSpec((2,), np.uint8)


def test_called_with_bytes_it_is_numpys():
    assert frombuffer(b"ab", np.uint8, -1, 0).tolist() == [97, 98]
