"""Whether a function may run in another process."""

import threading

import numpy as np
import pytest

from feedline.parallel.elsewhere import Elsewhere, can_go_elsewhere

SEEN = []
TOTAL = 0
FACTOR = 2


def plain(x):
    return x * FACTOR


def remembers(x):
    SEEN.append(x)
    return x


def counts(x):
    global TOTAL
    TOTAL += x
    return x


def remembers_through_another(x):
    return remembers(x)


class Scaled:
    def __init__(self, factor):
        self.factor = factor
        self.calls = 0

    def __call__(self, x):
        return x * self.factor

    def counting(self, x):
        self.calls += 1
        return x


def a_closure_that_counts():
    count = 0

    def fn(x):
        nonlocal count
        count += 1
        return x

    return fn


def verdict(fn):
    looked_at = Elsewhere(fn)
    first = looked_at.why_not()
    fn(1)
    return first or looked_at.why_not()


@pytest.mark.parametrize(
    "fn",
    [plain, lambda x: x + 1, Scaled(3), Scaled(3).__call__, np.sqrt, len],
    ids=["plain", "lambda", "object", "method", "ufunc", "builtin"],
)
def test_what_keeps_nothing_may_go(fn):
    assert can_go_elsewhere(fn) is None


@pytest.mark.parametrize("fn", [plain, Scaled(3), lambda x: x])
def test_calls_that_change_nothing_do_not_matter(fn):
    assert verdict(fn) is None


@pytest.mark.parametrize(
    "fn",
    [remembers, counts, remembers_through_another, Scaled(3).counting, a_closure_that_counts()],
    ids=["list", "global", "through another", "attribute", "closure"],
)
def test_what_keeps_something_must_stay(fn):
    assert verdict(fn) == "it keeps something from one call to the next"


def test_what_cannot_be_pickled_must_stay():
    lock = threading.Lock()

    assert "lock" in can_go_elsewhere(lambda x: lock and x)


def test_what_is_large_must_stay():
    table = np.zeros(20 << 20, np.uint8)

    assert can_go_elsewhere(lambda x: table[x]) == "it refers to 20 MB of data"
    assert can_go_elsewhere(lambda x: x) is None


def test_a_reason_is_final():
    looked_at = Elsewhere(remembers)
    looked_at.why_not()
    remembers(1)
    reason = looked_at.why_not()

    assert looked_at.why_not() == reason


def test_what_a_closure_calls_keeps_something():
    helper = remembers

    assert verdict(lambda x: helper(x)) == "it keeps something from one call to the next"


def test_a_class_in_a_closure_is_no_function():
    kind = Scaled

    assert verdict(lambda x: kind(3)(x)) is None
