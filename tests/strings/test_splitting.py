from hypothesis import given
from hypothesis import strategies as st

from feedline import strings as s

SPACED = st.text(alphabet=" \t\nab\x1c\xa0\u2003é", max_size=12)


@given(SPACED, st.integers(-1, 4))
def test_a_str_is_split_as_its_bytes_are(text, most):
    words = s.split(text, maxsplit=most).tolist()

    assert [word.encode() for word in words] == s.split(text.encode(), maxsplit=most).tolist()


@given(st.text(alphabet="a,b", max_size=12), st.integers(-1, 4))
def test_a_separator_cuts_as_in_python(text, most):
    assert s.split(text, ",", most).tolist() == text.split(",", most)


@given(st.text(alphabet="a,b", max_size=12))
def test_parts_joined_by_their_separator_are_the_whole(text):
    assert s.reduce_join(s.split(text, ","), separator=",") == text


@given(st.lists(SPACED, max_size=6))
def test_each_row_is_what_its_string_gives_alone(texts):
    rows = s.split(texts)

    assert rows.to_list() == [s.split(text).numpy().tolist() for text in texts]


@given(st.binary(max_size=12))
def test_bytes_joined_again_are_the_whole(text):
    assert b"".join(s.bytes_split(text)) == text
