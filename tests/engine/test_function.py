import functools
import operator

import numpy as np
import pytest

import feedline as tf
from feedline.block import Block
from feedline.engine.function import Function, check_callable, declares_rng
from feedline.errors import BuildTypeError

PLACE = "map(f) built at train.py:3"


def call(fn, elements, first=0, wants_rng=False, ids=None):
    block = Block.of(elements, None if ids is None else np.array(ids, np.uint64))
    return Function(fn, PLACE, wants_rng).each(block, first, key=5)


class WithMethod:
    def method(self, x, rng):
        return x

    def __call__(self, x, *, rng):
        return x


def test_every_element_has_its_result():
    calls = call(lambda x: x * 2, [1, 2, 3])

    assert calls.results == [2, 4, 6]
    assert calls.error is None


def test_the_parts_of_a_tuple_are_separate_arguments():
    assert call(lambda a, b: a + b, [(1, 2), (3, 4)]).results == [3, 7]


def test_any_other_structure_is_one_argument():
    assert call(lambda d: d["a"], [{"a": 1}, {"a": 2}]).results == [1, 2]


def test_a_failing_element_is_named_in_the_note():
    calls = call(lambda x: {0: "a", 1: "b"}[int(x)], [0, 1, 2, 3], first=40)

    assert calls.results == ["a", "b"]
    assert isinstance(calls.error, KeyError)
    assert calls.error.__notes__ == [f"in {PLACE}, element 42"]


def test_stop_iteration_is_not_taken_for_the_end():
    calls = call(lambda x: next(iter([])) if x == 1 else x, [0, 1, 2])

    assert calls.results == [0]
    assert isinstance(calls.error, RuntimeError)


def test_a_function_may_change_its_arguments():
    array = np.zeros((2, 3))
    array.flags.writeable = False
    block = Block.of(list(array)).read_only()
    calls = Function(lambda x: operator.iadd(x, 1), PLACE).each(block, 0, 0)

    assert [result.tolist() for result in calls.results] == [[1, 1, 1]] * 2
    assert [row.tolist() for row in block.rows()] == [[0, 0, 0]] * 2


def test_draws_depend_on_the_id_of_the_element_alone():
    draw = functools.partial(call, lambda x, rng: rng.random(), wants_rng=True)
    both = draw([1, 2], ids=[8, 9]).results

    assert draw([5], ids=[9]).results == both[1:]
    assert both[0] != both[1]


@pytest.mark.parametrize(
    ("fn", "declares"),
    [
        (lambda x, rng: x, True),
        (lambda x, *, rng: x, True),
        (lambda x, rng=None: x, True),
        (lambda x: x, False),
        (lambda x, **rng: x, False),
        (lambda *rng: 1, False),
        (WithMethod(), True),
        (WithMethod().method, True),
        (np.add, False),
        (int, False),
    ],
)
def test_a_parameter_named_rng_is_seen(fn, declares):
    assert declares_rng(fn) is declares


def test_what_cannot_be_called_is_refused():
    assert check_callable("map()", "map_func", len) is len
    with pytest.raises(
        BuildTypeError, match=r"map\(\): map_func must be a function, got 3 of type"
    ):
        check_callable("map()", "map_func", 3)


async def fetch(x):
    return x


async def rows():
    yield 1


class Fetches:
    async def __call__(self, x):
        return x


@pytest.mark.parametrize("fn", [fetch, functools.partial(fetch, 1), Fetches()])
@pytest.mark.parametrize(
    ("call", "build"),
    [
        ("filter()", lambda ds, fn: ds.filter(fn)),
        ("flat_map()", lambda ds, fn: ds.flat_map(fn)),
        ("interleave()", lambda ds, fn: ds.interleave(fn)),
        ("scan()", lambda ds, fn: ds.scan(0, fn)),
        ("take_while()", lambda ds, fn: ds.take_while(fn)),
        ("reduce()", lambda ds, fn: ds.reduce(0, fn)),
        ("apply()", lambda ds, fn: ds.apply(fn)),
        ("group_by_window()", lambda ds, fn: ds.group_by_window(fn, lambda k, w: w, 2)),
        ("from_generator()", lambda ds, fn: type(ds).from_generator(fn)),
    ],
)
def test_an_async_function_is_refused_where_nobody_awaits_it(call, build, fn):
    name = "Fetches" if isinstance(fn, Fetches) else "fetch"
    with pytest.raises(BuildTypeError) as caught:
        build(tf.data.Dataset.range(3), fn)

    assert str(caught.value).startswith(call)
    assert f"got the async function {name}. Only map() awaits" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "build"),
    [
        ("map()", lambda ds: ds.map(rows)),
        ("from_generator()", lambda ds: type(ds).from_generator(rows)),
    ],
)
def test_an_async_generator_function_is_refused_everywhere(call, build):
    with pytest.raises(BuildTypeError, match="got the async generator function rows") as caught:
        build(tf.data.Dataset.range(3))

    assert str(caught.value).startswith(call)
