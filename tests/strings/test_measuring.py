import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline import strings as s
from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.spec import TensorSpec, string
from feedline.strings.measuring import _length, _length_in_buffer, _substr, _substr_in_buffer
from feedline.strings.texts import packed
from tests.strings.compare import slices_of

TEXTS = st.lists(st.binary(max_size=8), max_size=9)
UNITS = pytest.mark.parametrize("unit", ["BYTE", "UTF8_CHAR"])


@UNITS
@given(texts=TEXTS)
def test_a_buffer_is_measured_as_its_strings_are(unit, texts):
    for part in slices_of(packed(texts)):
        found = _length_in_buffer(part, unit)
        assert found.array.tolist() == _length(part.rows(), unit).tolist()


@UNITS
@given(texts=TEXTS, pos=st.integers(-4, 4), size=st.integers(-1, 9))
def test_a_buffer_is_cut_as_its_strings_are(unit, texts, pos, size):
    for part in slices_of(packed(texts)):
        found = _substr_in_buffer(part, pos, size, unit)
        if found is not None:  # not every text can be cut in its buffer
            assert found.rows() == _substr(part.rows(), pos, size, unit)


@UNITS
def test_plain_text_is_cut_in_its_buffer(unit):
    part = packed([b"abcdef", b"", b"xyz"])

    assert _substr_in_buffer(part, 0, 2, unit) is not None


@given(st.text(max_size=20))
def test_characters_of_a_str_are_those_of_its_utf8(text):
    assert s.length(text, unit="UTF8_CHAR") == len(text)
    assert s.length(text.encode(), unit="UTF8_CHAR") == len(text)
    assert s.length(text) == len(text.encode())
    half = len(text) // 2
    assert s.substr(text, half, 100, unit="UTF8_CHAR") == text[half:]
    assert s.substr(text.encode(), half, 100, unit="UTF8_CHAR") == text[half:].encode()


def test_a_str_cannot_be_cut_inside_a_character():
    with pytest.raises(BuildError, match="inside a character") as raised:
        s.substr("é", 0, 1)

    assert 'unit="UTF8_CHAR"' in str(raised.value)
    assert s.substr("é".encode(), 0, 1) == b"\xc3"


def test_places_must_be_whole_numbers():
    with pytest.raises(BuildTypeError, match="pos must be integers"):
        s.substr("abc", 1.5, 1)


@pytest.mark.parametrize(
    ("pos", "shape", "of_batches"),
    [
        (1, (), (None,)),
        (np.arange(3), (3,), (3,)),
        ([[0], [1], [2]], (3, 1), (3, None)),
        ([[0]], (1, 1), (1, None)),
    ],
)
def test_the_spec_of_parts_is_that_of_strings_and_places_together(pos, shape, of_batches):
    """Without a look at elements, of which there are none."""
    words = Dataset.from_tensor_slices([b"abcd", b"efgh"]).take(0)

    def cut(text):
        return s.substr(text, pos, np.ones_like(pos))

    assert words.map(cut).element_spec == TensorSpec(shape, string)
    assert words.batch(2).map(cut).element_spec == TensorSpec(of_batches, string)
