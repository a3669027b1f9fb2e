import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline import strings as s
from feedline.errors import BuildError

PLAIN = ["UTF-8", "UTF-16-BE", "UTF-16-LE", "UTF-32-BE", "UTF-32-LE", "ISO-8859-1", "KOI8-R"]


@pytest.mark.parametrize("encoding", PLAIN)
@given(text=st.binary(max_size=12))
def test_mistakes_are_replaced_as_python_replaces_them(encoding, text):
    expected = [ord(char) for char in text.decode(encoding, "replace")]

    assert s.unicode_decode(text, encoding).tolist() == expected


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_characters_come_back_from_their_code_points(text):
    codes = s.unicode_decode(text, "UTF-8")

    for encoding in ("UTF-8", "UTF-16-BE", "UTF-32-BE"):
        assert s.unicode_encode(codes, encoding) == text.encode(encoding)
        assert s.unicode_transcode(text.encode(), "UTF-8", encoding) == text.encode(encoding)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12))
def test_offsets_are_where_characters_begin(text):
    chars, starts = s.unicode_split_with_offsets(text, "UTF-8")

    assert "".join(chars) == text
    assert starts.tolist() == [len(text[:place].encode()) for place in range(len(text))]


@given(st.binary(max_size=16))
def test_what_is_ignored_leaves_valid_text(text):
    kept = s.unicode_transcode(text, "UTF-8", "UTF-8", errors="ignore")

    assert kept == text.decode("utf-8", "ignore").encode()


def test_an_encoding_that_means_something_else_elsewhere_is_refused():
    with pytest.raises(BuildError, match=r"got 'SHIFT_JIS'\. Decode others with bytes\.decode"):
        s.unicode_decode(b"a", "SHIFT_JIS")


def test_a_str_is_not_decoded_twice():
    with pytest.raises(BuildError, match="must be UTF-8 for a str"):
        s.unicode_decode("a", "UTF-16-BE")


def test_strict_decoding_says_where_the_mistake_is():
    with pytest.raises(BuildError, match="not at byte 2"):
        s.unicode_decode(b"ab\xff", "UTF-8", errors="strict")


def test_a_replacement_must_be_a_character():
    with pytest.raises(BuildError, match="replacement_char must be a code point, got 55296"):
        s.unicode_decode("a", "UTF-8", replacement_char=0xD800)


def test_every_character_has_a_script():
    scripts = s.unicode_script(np.arange(0x110000))

    assert scripts.min() >= 0
    assert (np.bincount(scripts)[[0, 14, 17, 25]] > 100).all()
