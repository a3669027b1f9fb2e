"""docs/names.md says of every name of TensorFlow what it is here."""

import pytest

import feedline
from feedline.names.absent import ABSENT
from feedline.names.older import OLDER
from tools import names_page
from tools.different_names import DIFFERENT
from tools.public_names import named

RECORDED = names_page.recorded_names()
HERE = [place for place in RECORDED if not names_page.reason_for_all(place)]
REGENERATE = "run: python -m tools.names_page"


def listed(table):
    return [
        (place, name)
        for place, lines in table.items()
        for names in lines
        for name in names.split()
        if name != "*"
    ]


def is_here(place, name):
    space = names_page.OBJECTS[place]() if place in names_page.OBJECTS else named(feedline, place)
    return name in dir(space) and hasattr(space, name)


def test_the_page_is_what_its_generator_writes():
    assert names_page.PAGE.read_text() == names_page.page(), REGENERATE


@pytest.mark.parametrize("place", HERE)
def test_every_name_is_classified(place):
    unclassified = [
        entry.name
        for entry in names_page.entries(place, RECORDED[place])
        if entry.verdict == "unclassified"
    ]

    assert unclassified == [], "say why they are not here in feedline/names/absent.py"


@pytest.mark.parametrize("place", HERE)
def test_what_is_called_the_same_is_there_with_the_same_parameters(place):
    for entry in names_page.entries(place, RECORDED[place]):
        assert is_here(place, entry.name) == (entry.verdict in ("same", "differs"))


@pytest.mark.parametrize("table", [ABSENT, DIFFERENT, OLDER], ids=["absent", "different", "older"])
def test_no_name_is_listed_twice(table):
    names = listed(table)

    assert [name for name in set(names) if names.count(name) > 1] == []


def test_what_is_listed_as_not_here_is_a_name_of_tensorflow_and_is_not_here():
    wrong = [
        f"{place}.{name}"
        for place, name in listed(ABSENT)
        if place in RECORDED
        if name not in RECORDED[place] or (place in HERE and is_here(place, name))
    ]

    assert wrong == [], "delete them from feedline/names/absent.py, and " + REGENERATE


def test_what_is_listed_as_different_is_a_name_of_tensorflow_and_is_here():
    wrong = [
        f"{place}.{name}"
        for place, name in listed(DIFFERENT)
        if name not in RECORDED[place] or not is_here(place, name)
    ]

    assert wrong == []


def test_older_names_are_not_names_of_tensorflow_2_and_not_here():
    wrong = [
        f"{place}.{name}"
        for place, name in listed(OLDER)
        if name in RECORDED[place] or is_here(place, name)
    ]

    assert wrong == [], "delete them from feedline/names/older.py"


@pytest.mark.parametrize(
    ("theirs", "ours", "said"),
    [
        ("(x, name=None)", "(x, name=None)", ""),
        ("(x, name=None)", "(x, name=None, seed=None)", ""),
        ("(x, y)", "(y, x)", "`x` is parameter 2, not 1; `y` is parameter 1, not 2"),
        ("(x, name=None)", "(x)", "no `name`"),
        ("(x, axis=1)", "(x, axis=0)", "`axis` is 0 by default, not 1"),
        ("(x, axis=1)", "(x, axis)", "`axis` must be given"),
        ("(x)", "(x, axis)", "`axis` must be given"),
        ("(x, **kwargs)", "(x)", "no `**kwargs`"),
        ("(*xs, axis=0)", "(*xs, axis=0)", ""),
        ("class (x)", "class (x)", ""),
        ("value", "property", ""),
        ("(x)", "module", "a module, not a function"),
    ],
)
def test_differences_of_signatures_are_said(theirs, ours, said):
    assert names_page.difference(theirs, ours) == said
