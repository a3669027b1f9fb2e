import functools

import numpy as np
import pytest

import feedline as tf
from feedline import random as draws
from feedline.graph.mentions import may_draw
from feedline.random import uniform

CONSTANT = np.arange(3)


def helper(x):
    return x + uniform(())


class Augment:
    def __init__(self, fn=None):
        self.fn = fn

    def __call__(self, x):
        return self.inner(x)

    def inner(self, x):
        return draws.normal(()) + x


class Holder:
    def __init__(self, fn):
        self.fn = fn

    def __call__(self, x):
        return self.fn(x)


def with_cell(fn):
    return lambda x: fn(x)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: draws.uniform(()),
        lambda x: tf.random.uniform(()),
        lambda x: uniform(()),
        lambda x: helper(x),
        lambda x: [uniform(()) for _ in range(2)],
        lambda x, draw=uniform: draw(()),
        lambda x: (lambda y: uniform(()))(x),
        uniform,
        functools.partial(uniform, ()),
        functools.partial(helper),
        with_cell(helper),
        Augment(),
        Augment().inner,
        Holder(helper),
    ],
)
def test_a_function_that_names_what_draws_is_found(fn):
    assert may_draw(fn)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x + 1,
        lambda x: np.random.random() + x,
        lambda x: tf.cast(x, tf.float32) + CONSTANT,
        np.sqrt,
        abs,
        functools.partial(np.add, 1),
        Holder(abs),
        with_cell(abs),
    ],
)
def test_a_function_that_does_not_is_not(fn):
    assert not may_draw(fn)


def test_functions_that_refer_to_themselves_come_to_an_end():
    def first(x):
        return second(x)

    def second(x):
        return first(x)

    assert not may_draw(first)
