"""Adversaries whose values are of the user's own classes."""

import collections
import dataclasses
import enum
from typing import Any

from tests.graph.adversaries.case import Acts, case


@case("uses the class")
def a_namedtuple_with_a_method():
    calls = []

    class Stats(collections.namedtuple("Stats", "mean std")):
        def norm(self, x):
            calls.append(1)
            return x - self.mean

    stats = Stats(1.0, 2.0)
    return Acts(lambda x: stats.norm(x), lambda: len(calls))


@case("uses the class")
def an_enum_with_a_method():
    calls = []

    class Mode(enum.Enum):
        ADD = 1

        def apply(self, x):
            calls.append(1)
            return x + self.value

    return Acts(lambda x: Mode.ADD.apply(x), lambda: len(calls))


@case("uses the class")
def an_enum_of_lists():
    modes = enum.Enum("modes", {"SEEN": [0]})

    def fn(x):
        modes.SEEN.value.append(1)
        return x + len(modes.SEEN.value)

    return Acts(fn, lambda: len(modes.SEEN.value))


@case("uses the class")
def a_dataclass_that_calls_a_factory():
    calls = []

    @dataclasses.dataclass
    class Pair:
        a: Any
        b: Any = dataclasses.field(default_factory=lambda: calls.append(1) or 0)

    return Acts(lambda x: Pair(x + 1).a, lambda: len(calls))


@case("uses the class")
def an_exception_with_an_effect():
    calls = []

    class Stop(Exception):  # noqa: N818
        def __init__(self):
            calls.append(1)

    def fn(x):
        try:
            raise Stop
        except Stop:
            return x + 1

    return Acts(fn, lambda: len(calls))


@case("uses a Number")
def a_number_with_an_effect():
    calls = []

    class Number(int):
        def __add__(self, other):
            calls.append(1)
            return other + int(self)

    number = Number(3)
    return Acts(lambda x: number + x, lambda: len(calls))


@case("uses the class")
def elements_with_a_method():
    calls = []

    class Pair(collections.namedtuple("Pair", "a b")):
        def total(self):
            calls.append(1)
            return self.a + self.b

    return Acts(
        lambda x: x.total() if isinstance(x, tuple) else Pair(x, x).total(), lambda: len(calls)
    )
