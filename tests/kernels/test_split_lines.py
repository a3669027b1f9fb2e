"""The lines of a chunk of text."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.split_lines import split_lines, split_lines_twin

BOTH = pytest.mark.parametrize("split", [split_lines, split_lines_twin])
TEXT = st.lists(st.sampled_from([b"\n", b"\r", b"a", b"bc", b"\x00", b"\xff"]), max_size=30).map(
    b"".join
)


def lines_of(split, text, is_final):
    data, offsets, used = split(np.frombuffer(text, np.uint8), is_final)
    return [data[a:b].tobytes() for a, b in itertools.pairwise(offsets)], used


@given(TEXT, st.booleans())
def test_native_equals_twin(text, is_final):
    assert lines_of(split_lines, text, is_final) == lines_of(split_lines_twin, text, is_final)


@given(TEXT, st.integers(0, 40))
def test_lines_do_not_depend_on_where_the_text_is_cut(text, cut):
    whole, _ = lines_of(split_lines, text, True)
    first, used = lines_of(split_lines, text[:cut], False)
    rest, _ = lines_of(split_lines, text[used:], True)

    assert first + rest == whole


@BOTH
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\nb", [b"a", b"b"]),
        (b"\r\n", [b""]),
        (b"a\rb\r\nc\r", [b"ab", b"c"]),
        (b"a\n\r", [b"a"]),
        (b"\r", []),
        (b"a\n\nb\n\n", [b"a", b"", b"b", b""]),
        (b"x\n\r\r", [b"x"]),
    ],
)
def test_lines_are_those_of_tensorflow(split, text, lines):
    assert lines_of(split, text, True) == (lines, len(text))


@BOTH
def test_a_line_whose_end_is_not_there_yet_is_left(split):
    assert lines_of(split, b"a\nbc", False) == ([b"a"], 2)
    assert lines_of(split, b"abc", False) == ([], 0)
