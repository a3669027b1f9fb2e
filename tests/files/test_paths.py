"""What a user may give as names of files."""

from pathlib import Path

import numpy as np
import pytest

from feedline.errors import BuildTypeError
from feedline.files import is_remote, paths_of


@pytest.mark.parametrize(
    "value",
    [
        ["a", "b"],
        ("a", Path("b")),
        [b"a", ["b"]],
        np.array(["a", "b"]),
        np.array([[b"a"], [b"b"]]),
        np.array(["a", Path("b")], object),
        [np.str_("a"), np.array("b")],
    ],
)
def test_names_may_be_given_in_many_ways(value):
    assert paths_of(value, "f()") == ["a", "b"]


@pytest.mark.parametrize("value", [[], (), np.array([]), np.array([], str)])
def test_there_may_be_none(value):
    assert paths_of(value, "f()") == []


@pytest.mark.parametrize("value", [5, None, [1], np.arange(3), {"a": "b"}])
def test_anything_else_is_refused(value):
    with pytest.raises(BuildTypeError, match=r"f\(\): names of files must be str"):
        paths_of(value, "f()")


@pytest.mark.parametrize(
    ("path", "remote"),
    [
        ("memory://x", True),
        ("zip://a::s3://b/c.zip", True),
        ("simplecache::http://host/x", True),
        ("file:///x", False),
        ("/x/y", False),
        ("C:/x", False),
        ("x::y", True),
        ("a b://c", False),
    ],
)
def test_urls_are_told_from_paths(path, remote):
    assert is_remote(path) == remote
