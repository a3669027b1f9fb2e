"""The strings of one buffer as objects of their own."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feedline.kernels.text_rows import (
    bytes_rows,
    bytes_rows_twin,
    is_utf8,
    is_utf8_twin,
    text_rows,
    text_rows_twin,
)

ANY = st.one_of(
    st.binary(max_size=12),
    st.text(max_size=12).map(str.encode),
    st.lists(st.sampled_from([b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xe0\x9f\xbf", b"a" * 9,
                              b"\xf4\x90\x80\x80", b"\xf4\x8f\xbf\xbf", b"\xc1\xbf", b"\xc2"]),
             max_size=4).map(b"".join),
)  # fmt: skip


def buffer_of(parts):
    offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return np.frombuffer(b"".join(parts), np.uint8), offsets


@given(st.lists(st.text(max_size=20), max_size=6), st.integers(0, 2))
def test_strings_come_back_as_they_went_in(texts, first):
    data, offsets = buffer_of([text.encode() for text in texts])
    offsets = offsets[min(first, len(texts)) :]

    for rows in (text_rows, text_rows_twin):
        assert rows(data, offsets) == texts[first:]
    for rows in (bytes_rows, bytes_rows_twin):
        assert rows(data, offsets) == [text.encode() for text in texts[first:]]


@given(ANY)
@example(b"a" * 2000 + b"\xff")
@example(b"\xc3")
def test_what_is_utf8_is_what_python_decodes(data):
    array = np.frombuffer(data, np.uint8)

    assert is_utf8(array) == is_utf8_twin(array)


@pytest.mark.parametrize("rows", [text_rows, text_rows_twin])
def test_what_is_not_utf8_is_refused(rows):
    with pytest.raises(UnicodeDecodeError):
        rows(*buffer_of([b"a", b"\xff"]))


@pytest.mark.parametrize("rows", [text_rows, text_rows_twin, bytes_rows, bytes_rows_twin])
@pytest.mark.parametrize("offsets", [[0, 9], [-1, 2], [2, 1], []])
def test_strings_must_be_inside_the_data(rows, offsets):
    with pytest.raises(ValueError, match="offsets must"):
        rows(np.zeros(3, np.uint8), np.array(offsets, np.int64))
