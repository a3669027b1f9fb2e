"""What a recorded function may get as it is."""

import collections
import dataclasses
import enum
import re
import typing

import numpy as np
import pytest

from feedline.graph.harmless import check_code, is_frozen, is_immutable, is_plain_class
from feedline.graph.untraceable import Untraceable


class Number(int):
    pass


@pytest.mark.parametrize(
    "value", [None, True, 1, 1.5, 1j, "a", b"a", range(3), np.float32(1), np.dtype("f4"), ...]
)
def test_numbers_and_texts_cannot_change(value):
    assert is_immutable(value)


@pytest.mark.parametrize(
    "value", [[], {}, (), Number(1), np.zeros(1), np.zeros(1, "i4,i4")[0], object()]
)
def test_what_holds_others_or_is_of_a_class_of_the_user_may(value):
    assert not is_immutable(value)


def test_an_array_is_frozen_if_nothing_below_it_can_be_written():
    array = np.zeros(3)
    view = array[:]
    view.flags.writeable = False
    assert not is_frozen(view)

    array.flags.writeable = False

    assert is_frozen(view)
    assert is_frozen(np.frombuffer(b"abc", np.uint8))


# ---- classes --------------------------------------------------------------------------------


class Point(typing.NamedTuple):
    x: float
    y: float = 0.0


class Named(typing.NamedTuple):
    x: float

    def twice(self):
        return 2 * self.x


@dataclasses.dataclass(frozen=True, order=True)
class Pair:
    a: int
    b: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Checked:
    a: int

    def __post_init__(self):
        self.a += 1


@dataclasses.dataclass
class Counted:
    a: int
    seen: typing.ClassVar[list] = []


class Mode(enum.Enum):
    A = 1
    B = "b"


class Acting(enum.Enum):
    A = 1

    def act(self):
        return self.value


class Stop(Exception):  # noqa: N818
    pass


class Loud(Exception):  # noqa: N818
    def __str__(self):
        return "loud"


class Watching(type):
    pass


@pytest.mark.parametrize(
    "kind", [collections.namedtuple("Pair", "a b"), Point, Pair, Mode, Stop, re.RegexFlag]
)
def test_a_class_that_only_holds_values_is_plain(kind):
    assert is_plain_class(kind)


@pytest.mark.parametrize(
    "kind",
    [
        *(Named, Checked, Counted, Acting, Loud),
        enum.Enum("Lists", {"A": []}),
        dataclasses.make_dataclass("Made", [("a", int, dataclasses.field(default_factory=int))]),
        Watching("Watched", (), {}),
    ],
)
def test_a_class_with_code_or_state_of_the_user_is_not(kind):
    assert not is_plain_class(kind)


# ---- code -----------------------------------------------------------------------------------


def sets_attribute(x):
    x.a = 1


def sets_global(x):
    global FOUND
    FOUND = x


def sets_attribute_inside(x):
    def inner():
        x.a = 1

    return inner()


def looks_behind(x):
    return x.__class__


def compares_types(x):
    return x.dtype.type is np.float32


def matches(x):
    match x:
        case int():
            return 1


@pytest.mark.parametrize(
    ("fn", "reason"),
    [
        (sets_attribute, "sets an attribute"),
        (sets_global, "sets a global variable"),
        (sets_attribute_inside, "sets an attribute"),
        (looks_behind, "uses __class__"),
        (compares_types, "asks whether .type is a certain type"),
        (matches, "matches a class"),
    ],
)
def test_code_that_changes_or_looks_behind_things_is_refused(fn, reason):
    with pytest.raises(Untraceable, match=reason):
        check_code(fn.__code__)


def test_code_that_computes_is_not():
    check_code((lambda x, y: [x[i] + y.k for i in range(3)] if type(x) is list else None).__code__)
