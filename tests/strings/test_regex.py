import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline import strings as s
from feedline.errors import BuildError


@given(st.text(max_size=20))
def test_a_str_is_changed_as_its_bytes_are(text):
    for pattern in ("[a-m]", "x*", r"\w+", "."):
        changed = s.regex_replace(text, pattern, r"<\0>")
        assert s.regex_replace(text.encode(), pattern, r"<\0>") == changed.encode()


@given(st.binary(max_size=20))
def test_bytes_that_are_no_utf8_stay(text):
    assert s.regex_replace(text, "^", "") == text


@pytest.mark.parametrize("rewrite", [r"\n", r"\g<1>", "a\\"])
def test_a_backslash_in_a_rewrite_needs_a_digit(rewrite):
    with pytest.raises(BuildError, match="a digit or a backslash after every backslash"):
        s.regex_replace("a", "(a)", rewrite)


def test_a_rewrite_names_groups_that_are_there():
    with pytest.raises(BuildError, match=r"which has 1, got '\\\\2'"):
        s.regex_replace("a", "(a)", r"\2")


def test_a_pattern_must_be_utf8():
    with pytest.raises(BuildError, match="pattern must be UTF-8"):
        s.regex_full_match("a", b"\xff")


@pytest.mark.parametrize(
    ("pattern", "changed"),
    [("b*?", "<>a<>b<>c<>"), ("b??", "<>a<>b<>c<>"), ("b*", "<>a<b>c<>"), ("$|b", "a<b>c<>")],
)
def test_empty_matches_are_found_where_re2_finds_them(pattern, changed):
    assert s.regex_replace("abc", pattern, r"<\0>") == changed
