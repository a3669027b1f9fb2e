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


class Plain:
    def __init__(self):
        self.scale = 2

    def draw(self, x):
        return self._inner(x) * self.scale

    def _inner(self, x):
        return tf.random.uniform(()) + x

    @staticmethod
    def static(x):
        return uniform(()) + x

    @classmethod
    def of_class(cls, x):
        return cls.static(x)

    @property
    def drawn(self):
        return self.draw


class Derived(Plain):
    pass


class Slotted:
    __slots__ = ("inner",)

    def __init__(self, inner):
        self.inner = inner


class Holder:
    def __init__(self, fn):
        self.fn = fn

    def __call__(self, x):
        return self.fn(x)


class Quiet:
    def scaled(self, x):
        return np.multiply(x, 2) + np.random.random()


v1 = tf.compat.v1
old_random = tf.compat.v1.random
QUIET, SHUFFLED = Quiet(), tf.data.Dataset.range(3).shuffle(3)
PLAIN, DERIVED, SLOTTED = Plain(), Derived(), Slotted(Plain())
BY_NAME = {"draw": PLAIN.draw}
IN_A_LIST = [abs, [Derived().draw]]


@functools.lru_cache
def made():
    return Plain()


def imports(x):
    import feedline  # noqa: PLC0415 - that is what is tested

    return feedline.random.uniform(()) + x


def imports_from(x):
    from feedline.random import uniform as draw  # noqa: PLC0415

    return draw(()) + x


@functools.wraps(helper)
def wrapped(x):
    return vars(wrapped)["__wrapped__"](x)


CALLS_METHODS = [
    lambda x: PLAIN.draw(x),
    lambda x: PLAIN.drawn(x),
    lambda x: PLAIN.static(x),
    lambda x: Plain.static(x),
    lambda x: Plain.of_class(x),
    lambda x: Plain().draw(x),
    lambda x: DERIVED.draw(x),
    lambda x: SLOTTED.inner.draw(x),
    lambda x: BY_NAME["draw"](x),
    lambda x: IN_A_LIST[1][0](x),
    lambda x: made().draw(x),
    functools.partial(Plain.draw, PLAIN),
    lambda x, augment=PLAIN: augment.draw(x),
    imports,
    imports_from,
    wrapped,
    lambda x: getattr(PLAIN, "dr" + "aw")(x),
    lambda x: globals()["helper"](x),
    lambda x: x + v1.random_uniform(()),
    lambda x: x + v1.random.uniform(()),
    lambda x: x + old_random.uniform(()),
    lambda x: x + tf.compat.v1.random_normal(()),
    lambda x: x + tf.compat.v2.random.uniform(()),
    lambda x: x + v1.image.random_brightness(tf.zeros((1, 1, 3)), 0.5)[0, 0, 0],
]


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
        *CALLS_METHODS,
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
        lambda x: QUIET.scaled(x),
        lambda x: SHUFFLED,
        lambda x: v1.to_float(x) + v1.reduce_sum(x),
        lambda x: tf.compat.v1.to_int32(x),
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


def test_what_is_too_much_to_look_through_may_draw():
    deep = None
    for _ in range(3000):
        deep = Holder(deep)

    assert may_draw(lambda x: deep.fn(x))


@pytest.mark.parametrize("number", range(len(CALLS_METHODS)))
def test_draws_in_methods_are_the_same_for_blocks_and_single_elements(number):
    def found(**settings):
        ds = tf.data.Dataset.range(5).map(lambda x: tf.cast(x, tf.float32))
        ds = ds.map(CALLS_METHODS[number], **settings)
        return [float(x) for x in ds.with_options(tf.data.Options(seed=1))]

    assert found() == found(vectorize=False)
    assert len(set(found())) == 5


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_draws_in_methods_are_the_same_in_other_executors(executor):
    def augment(x):
        for fn in (PLAIN.draw, DERIVED.drawn, BY_NAME["draw"], Plain.static):
            x = fn(x)
        return tf.image.random_brightness(tf.ones((2, 2, 3)), 0.5) + x

    def found(parallel=None, **options):
        ds = tf.data.Dataset.range(8).map(lambda x: tf.cast(x, tf.float32))
        ds = ds.map(lambda x: augment(x), num_parallel_calls=parallel)
        return [np.asarray(x).tolist() for x in ds.with_options(tf.data.Options(seed=1, **options))]

    assert found(2, executor=executor) == found()
