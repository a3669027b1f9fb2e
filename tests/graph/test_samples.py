"""The elements a function is recorded with."""

import numpy as np
import pytest

from feedline.block import Block
from feedline.column import Dense, Objects, Ragged
from feedline.graph.opaque import Opaque
from feedline.graph.samples import Samples
from feedline.graph.symbol import Symbol
from feedline.graph.untraceable import Untraceable
from feedline.structure import LEAF


def block_of(column):
    return Block(LEAF, (column,), len(column))


@pytest.mark.parametrize("dtype", ["?", "u1", "i8", "f2", "f4", "f8", "c8", "M8[D]"])
def test_samples_have_the_dtype_of_the_elements(dtype):
    array = np.arange(40).reshape(10, 4).astype(dtype)

    samples = Samples.of(block_of(Dense(array)), invent=True)
    (symbol,) = samples.arguments(samples.trace())

    assert symbol.dtype == array.dtype
    assert symbol.shape == (4,)
    assert len(symbol.samples) == 4


def test_the_made_up_one_lies_between_the_others():
    array = np.zeros((9, 4), np.float32)
    array[8] = 10

    samples = Samples.of(block_of(Dense(array)), invent=True)
    made = samples.block.columns[0].array[-1]

    assert np.all((made >= 0) & (made <= 10))
    assert len(np.unique(made)) == 4


def test_zeros_tell_nothing_so_others_are_made_up():
    samples = Samples.of(block_of(Dense(np.zeros((9, 4)))), invent=True)

    assert np.all(samples.block.columns[0].array[-1] != 0)


def test_the_same_samples_are_made_up_every_time():
    block = block_of(Dense(np.arange(40.0).reshape(10, 4)))

    first, second = (Samples.of(block, invent=True).block.columns[0].array for _ in range(2))

    np.testing.assert_array_equal(first, second)


def test_none_is_made_up_if_not_asked_for():
    samples = Samples.of(block_of(Dense(np.arange(10))), invent=False)

    assert samples.block.length == 3
    assert samples.invented == 0


def test_a_made_up_ragged_one_has_another_length():
    column = Ragged(np.arange(6.0), np.array([0, 2, 4, 6]))

    samples = Samples.of(block_of(column), invent=True)
    (symbol,) = samples.arguments(samples.trace())

    assert symbol.shape == (None,)
    assert len({len(sample) for sample in symbol.samples}) == 2


def test_texts_can_only_be_handed_on():
    samples = Samples.of(block_of(Objects(["a", "b", "c"])), invent=True)

    (leaf,) = samples.arguments(samples.trace())

    assert isinstance(leaf, Opaque)
    assert not isinstance(leaf, Symbol)


def test_a_leaf_that_may_be_none_is_refused():
    samples = Samples.of(block_of(Objects(["a", None, "c"])), invent=True)

    with pytest.raises(Untraceable, match="gets a leaf that is None"):
        samples.arguments(samples.trace())
