import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.engine.each import EachExec
from feedline.engine.function import Function
from feedline.engine.recall import Recall
from tests.engine.fakes import numbers_stream, stream_of

LIMITS = st.lists(st.integers(1, 5), min_size=1)
PLACES = st.sets(st.integers(0, 9))


class Refusing(EachExec):
    """Passes elements on; refuses ``results`` after the call, as map() does with a bad result."""

    def __init__(self, stream, fn, refused=()):
        super().__init__(stream, Function(fn, "map(f) built at train.py:3"))
        self.refused = set(refused)

    def pull(self, limit):
        called = self.call(limit)
        if called is None:
            return None
        block, results = called
        for number, result in enumerate(results):
            if int(result) in self.refused:
                self.fail(ValueError(int(result)), block, number)
                return block.slice(0, number)
        return block

    def skip(self, count):
        return self.pass_over(count)


class Recording:
    """A function that fails for some numbers, and remembers what it was called with."""

    def __init__(self, failing=()):
        self.failing = set(failing)
        self.seen = []

    def __call__(self, x):
        self.seen.append(int(x))
        if int(x) in self.failing:
            raise KeyError(int(x))
        return x


def read_all(operator, limits):
    found = []
    for limit in itertools.cycle(limits):
        try:
            block = operator.pull(limit)
        except (KeyError, ValueError) as error:
            found.append((type(error), error.args[0]))
            continue
        if block is None:
            return found
        found.extend(int(row) for row in block.rows())
    return found


def expected(failing, refused):
    kinds = {**dict.fromkeys(refused, ValueError), **dict.fromkeys(failing, KeyError)}
    return [(kinds[n], n) if n in kinds else n for n in range(10)]


@given(PLACES, PLACES, LIMITS, st.integers(1, 5))
def test_failures_keep_their_places_and_every_call_is_made_once(failing, refused, limits, most):
    function = Recording(failing)
    operator = Refusing(numbers_stream(10, most=most), function, refused)

    assert read_all(operator, limits) == expected(failing, refused)
    assert function.seen == list(range(10))


@given(PLACES, PLACES, LIMITS, st.integers(0, 12), LIMITS)
def test_a_state_after_any_pull_continues(failing, refused, limits, pulls, others):
    stream = stream_of(Refusing(numbers_stream(10), Recording(failing), refused))
    done = []
    for limit in itertools.islice(itertools.cycle(limits), pulls):
        try:
            block = stream.pull(limit)
            done.extend([] if block is None else [int(row) for row in block.rows()])
        except (KeyError, ValueError) as error:
            done.append((type(error), error.args[0]))
    again = stream_of(Refusing(numbers_stream(10), Recording(failing), refused))
    again.restore(stream.state())

    assert done + read_all(again, others) == expected(failing, refused)


@given(PLACES, st.integers(1, 6), st.integers(0, 6))
def test_elements_that_are_passed_over_are_not_called(failing, limit, count):
    function = Recording(failing - {0})
    operator = Refusing(numbers_stream(10), function)
    start = operator.pull(limit).length
    gone = operator.skip(count)

    assert gone == min(count, 10 - start)
    assert read_all(operator, [3]) == expected(failing - {0}, ())[start + gone :]


def test_an_error_has_a_note_with_the_element():
    operator = Refusing(numbers_stream(5), lambda x: x, refused={3})
    operator.pull(9)

    with pytest.raises(ValueError, match="3") as caught:
        operator.pull(9)
    assert caught.value.__notes__ == ["in map(f) built at train.py:3, element 3"]


def test_elements_may_come_through_a_recall():
    operator = Refusing(numbers_stream(5), Recording({2}))
    operator.source = Recall(operator.input)

    assert read_all(operator, [2]) == [0, 1, (KeyError, 2), 3, 4]
