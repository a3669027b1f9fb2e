import functools
import operator

import numpy as np
import pytest

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
