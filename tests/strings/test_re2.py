import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline import strings as s
from feedline.errors import BuildError
from feedline.strings.re2 import compiled


def matches(pattern, text):
    return compiled("test()", pattern).regex.findall(text)


@given(st.text(max_size=10))
def test_text_between_q_and_e_is_itself(text):
    if "\\E" in text or "\\" in text:
        return
    assert compiled("test()", f"\\Q{text}\\E").regex.fullmatch(text)


@given(st.text(alphabet=r"ab(|)[]^-*+?{}0,1.$\dpLQEPi:<>=!x", max_size=12))
def test_any_text_is_a_pattern_or_refused(pattern):
    try:
        found = compiled("test()", pattern)
    except BuildError:
        return
    assert isinstance(found.regex, re.Pattern)


@given(st.text(max_size=8), st.text(max_size=8))
def test_escaped_punctuation_matches_itself(text, rest):
    ascii_text = "".join(char for char in text if char.isascii() and not char.isalnum())
    pattern = "".join(f"\\{char}" for char in ascii_text)

    assert compiled("test()", pattern).regex.match(ascii_text + rest)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\d+", "12٣", ["12"]),
        (r"[^\d]", "1٣", ["٣"]),
        (r"\p{Han}", "日a", ["日"]),
        (r"[\p{Lu}\d]", "aB1", ["B", "1"]),
        (r"(?i)[^k]", "kK\u212ax", ["x"]),
        (r"a{,3}", "a{,3}", ["a{,3}"]),
        (r"[[:^digit:]]", "1a", ["a"]),
        (r"(?U)a+b", "aab", ["aab"]),
    ],
)
def test_what_looks_alike_means_what_it_means_in_re2(pattern, text, found):
    assert matches(pattern, text) == found


@pytest.mark.parametrize("pattern", ["(?=a)", r"(a)\1", "a*+", r"\Z", "(?<n>a)", r"\C"])
def test_what_re2_does_not_have_is_refused_with_the_place(pattern):
    with pytest.raises(BuildError, match=r"at \d+\. RE2 has no lookahead"):
        s.regex_replace("a", pattern, "")


def test_nesting_without_end_is_refused():
    with pytest.raises(BuildError, match="nested too deep"):
        s.regex_replace("a", "(" * 1000 + ")" * 1000, "")
