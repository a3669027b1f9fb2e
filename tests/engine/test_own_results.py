"""own_results."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.engine.own_results import copied, is_kept
from feedline.testing import check_block_sizes

Pair = namedtuple("Pair", ["a", "b"])
TABLE = np.arange(6).reshape(3, 2)


class FillsOneArray:
    def __init__(self):
        self.out = np.empty(2)

    def __call__(self, x):
        self.out[:] = x
        return self.out


class FillsOneArrayInATuple(FillsOneArray):
    def __call__(self, x):
        return x, super().__call__(x)


class ReturnsViews(FillsOneArray):
    def __call__(self, x):
        return super().__call__(x)[1:]


class FillsThroughAView(FillsOneArray):
    def __call__(self, x):
        out = tf.reshape(self.out, [-1])
        out[...] = x
        return out


class FillsOneDict:
    def __init__(self):
        self.out = {}

    def __call__(self, x):
        self.out["x"] = x
        return self.out


class FillsOneList:
    def __init__(self):
        self.out = [0, 0]

    def __call__(self, x):
        self.out[0] = x
        return {"x": self.out}


class FillsOneWithDraws(FillsOneArray):
    def __call__(self, x, rng):
        return super().__call__(x + rng.random())


REUSING = [
    FillsOneArray,
    FillsOneArrayInATuple,
    ReturnsViews,
    FillsThroughAView,
    FillsOneDict,
    FillsOneList,
    FillsOneWithDraws,
]


@pytest.mark.parametrize("kind", REUSING)
def test_a_function_may_fill_one_buffer_for_every_call(kind):
    check_block_sizes(Dataset.range(20).map(kind()))


def test_each_result_is_what_the_buffer_held_when_it_was_returned():
    found = [x.tolist() for x in Dataset.range(5).map(FillsOneArray()).batch(5).unbatch()]

    assert found == [[n, n] for n in range(5)]


@pytest.mark.parametrize(
    ("result", "kept"),
    [
        (lambda: np.zeros(2), False),
        (lambda: np.zeros((2, 2))[1], False),
        (lambda: (np.zeros(2), {"x": np.zeros(1)}), False),
        (lambda: 3, False),
        (lambda: TABLE, True),
        (lambda: TABLE[1], True),
        (lambda: Pair(1, TABLE), True),
        (lambda: {"x": TABLE}, True),
    ],
)
def test_what_somebody_else_refers_to_is_kept(result, kept):
    assert is_kept([result()], []) is kept


def test_what_shares_memory_with_the_arguments_is_not():
    argument = np.zeros(4)

    assert not is_kept([argument[1:]], [argument])
    assert not is_kept([argument], [argument])


def test_a_copy_has_the_same_structure_and_shares_nothing():
    given = Pair(TABLE, {"x": [1, TABLE], "y": "text"})
    made = copied(given)

    assert isinstance(made, Pair)
    assert made.b["y"] == "text"
    assert not np.shares_memory(made.a, TABLE)
    assert not np.shares_memory(made.b["x"][1], TABLE)
