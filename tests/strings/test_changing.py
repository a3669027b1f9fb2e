from hypothesis import given
from hypothesis import strategies as st

from feedline import strings as s
from feedline.strings.changing import _cased_buffer, _lower, _strip, _strip_buffer, _upper
from feedline.strings.texts import packed
from tests.strings.compare import slices_of

TEXTS = st.lists(
    st.binary(max_size=8) | st.sampled_from([b" a ", b"\t\n", b" ", b"A b\r"]), max_size=9
)


@given(TEXTS)
def test_a_buffer_is_stripped_as_its_strings_are(texts):
    column = packed(texts)

    assert _strip_buffer(column).rows() == _strip(texts)
    for part in slices_of(column):
        assert _strip_buffer(part).rows() == _strip(part.rows())


@given(TEXTS)
def test_a_buffer_changes_case_as_its_strings_do(texts):
    for part in slices_of(packed(texts)):
        assert _cased_buffer(part, "lower", "").rows() == _lower(part.rows())
        assert _cased_buffer(part, "upper", "").rows() == _upper(part.rows())


@given(st.text())
def test_without_an_encoding_letters_beyond_ascii_stay(text):
    assert s.lower(text).encode() == text.encode().lower()
    assert s.upper(text).encode() == text.encode().upper()


@given(st.text())
def test_a_str_is_stripped_as_its_bytes_are(text):
    assert s.strip(text).encode() == s.strip(text.encode())
