import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline import strings as s
from feedline.errors import BuildError
from feedline.strings.numbers import _to_number, _to_number_in_buffer
from feedline.strings.texts import packed
from tests.strings.compare import slices_of

INTEGERS = ["int32", "int64", "uint32", "uint64"]


@given(st.floats(allow_nan=False))
def test_a_float64_comes_back_from_its_text(number):
    assert struct.pack("d", s.to_number(repr(number), np.float64)) == struct.pack("d", number)


@given(st.floats(width=32, allow_nan=False))
def test_a_float32_comes_back_from_its_text(number):
    assert s.to_number(str(np.float32(number))) == np.float32(number)


@pytest.mark.parametrize("dtype", INTEGERS)
@given(number=st.integers(-(2**65), 2**65), space=st.sampled_from(["", " ", "\t\n"]))
def test_integers_are_read_if_they_fit_and_refused_if_not(dtype, number, space):
    limits = np.iinfo(dtype)
    text = f"{space}{number}{space}"
    if limits.min <= number <= limits.max:
        assert s.to_number(text, dtype) == number
    else:
        with pytest.raises(BuildError, match=str(number)):
            s.to_number(text, dtype)


@given(st.text(alphabet="0123456789.eE+-xX nifa_", max_size=8))
def test_text_is_a_number_where_python_says_so_but_for_underscores_and_hexadecimals(text):
    try:
        expected = float(text)
    except ValueError:
        expected = None
    if "_" in text or "x" in text.lower():
        return
    if expected is None:
        with pytest.raises(BuildError, match="must say a number"):
            s.to_number(text, np.float64)
    else:
        found = s.to_number(text, np.float64)
        assert found == expected or math.isnan(expected)


@given(st.lists(st.integers(-1000, 1000).map(lambda n: b" %d" % n), max_size=9))
def test_a_buffer_is_read_as_its_strings_are(texts):
    for part in slices_of(packed(texts)):
        for dtype in (np.float32, np.int64):
            found = _to_number_in_buffer(part, dtype).array
            assert found.tolist() == _to_number(part.rows(), dtype).tolist()


def test_an_error_shows_the_text_and_where_it_stands():
    with pytest.raises(BuildError, match=r"int32, got 'x\\\\xff' at index 1"):
        s.to_number([b"1", b"x\xff"], np.int32)


def test_a_long_text_is_not_shown_whole():
    with pytest.raises(BuildError, match=r"got 'y{40}\.\.\.'"):
        s.to_number("y" * 1000)
