"""Exceptions on their way between processes."""

import pickle

import pytest

from feedline.errors import RemoteError, SpecError
from feedline.parallel.failure import Failure, RemoteTraceback


class NeedsTwo(Exception):  # noqa: N818
    """Pickled well, but made from its pickle with one argument too few."""

    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")


class Holder(Exception):  # noqa: N818
    """Holds something that cannot be pickled."""

    def __init__(self):
        super().__init__("holds a function")
        self.held = (x for x in ())


class Unspeakable(Holder):
    def __str__(self):
        raise ValueError


def raised(error):
    try:
        raise error
    except type(error) as caught:
        caught.add_note("in map(f), element 3")
        return caught


def travelled(error):
    return pickle.loads(pickle.dumps(Failure.of(raised(error)))).error()


@pytest.mark.parametrize(
    "error",
    [
        KeyError("no", 3),
        SpecError("wrong"),
        FileNotFoundError(2, "No such file", "x.txt"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
        SystemExit(3),
    ],
    ids=lambda error: type(error).__name__,
)
def test_type_arguments_and_notes_arrive(error):
    arrived = travelled(error)

    assert type(arrived) is type(error)
    assert arrived.args == error.args
    assert arrived.__notes__ == ["in map(f), element 3"]


def test_the_traceback_arrives_as_text():
    arrived = travelled(ValueError("x"))

    assert isinstance(arrived.__cause__, RemoteTraceback)
    assert "test_failure.py" in str(arrived.__cause__)
    assert "in raised" in str(arrived.__cause__)


def test_attributes_arrive():
    error = ValueError("x")
    error.position = 7

    assert travelled(error).position == 7


@pytest.mark.parametrize("error", [NeedsTwo(1, 2), Holder()], ids=["NeedsTwo", "Holder"])
def test_what_cannot_be_sent_arrives_as_what_says_so(error):
    arrived = travelled(error)

    assert type(arrived) is RemoteError
    assert type(error).__name__ in str(arrived)
    assert str(error) in str(arrived)
    assert arrived.__notes__ == ["in map(f), element 3"]


def test_an_exception_without_a_text_arrives_too():
    assert "its text cannot be made" in str(travelled(Unspeakable()))
