"""Text as numbers."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feedline.kernels.parse_numbers import parse_numbers, parse_numbers_twin

BOTH = pytest.mark.parametrize("parse", [parse_numbers, parse_numbers_twin])
DTYPES = [np.dtype(name) for name in ("int32", "int64", "float32", "float64")]
PIECES = ["0", "1", "9", ".", "e", "E", "+", "-", "0x", "p", "f", "inf", "nan", "(", ")", " ", "_"]
TEXT = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.integers(-(2**65), 2**65).map(str),
    st.floats().map(repr),
    st.floats(width=32).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map(float.hex),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
)


def parsed(parse, texts, dtype):
    parts = [text.encode() for text in texts]
    stops = np.cumsum([len(part) for part in parts], dtype=np.int64)
    starts = stops - np.array([len(part) for part in parts], np.int64)
    values, found = parse(np.frombuffer(b"".join(parts), np.uint8), starts, stops, np.dtype(dtype))
    assert values.dtype == dtype
    return [value if is_there else None for value, is_there in zip(values, found, strict=True)]


def same(one, other):
    if one is None or other is None:
        return one is other
    return one.tobytes() == other.tobytes() or (one != one and other != other)


@given(st.lists(TEXT, max_size=8), st.sampled_from(DTYPES))
@example(["1.00000005960464477539062500001", "1.000000059604644775390625"], np.dtype("float32"))
@example(["0x1.00000100000001p0", "0x1p-150", "-0x1p2000", "0x1p-2000"], np.dtype("float32"))
@example(["0x.EEp+-3", "0x1p-+3", "0x1p--3", "0x1p-3", "1e+-3"], np.dtype("float64"))
@example(["3.4028235677973366e38", "3.40282356779733661637539395e38"], np.dtype("float32"))
@example(["1e-91234567891234567899", "-1e91234567891234567899"], np.dtype("float32"))
@example(["1e99999999999999999999", "1e-99999999999999999999", "0e999999"], np.dtype("float64"))
def test_native_equals_twin(texts, dtype):
    native, twin = parsed(parse_numbers, texts, dtype), parsed(parse_numbers_twin, texts, dtype)

    assert [t for t, a, b in zip(texts, native, twin, strict=True) if not same(a, b)] == []


@BOTH
@pytest.mark.parametrize("text", ["1", " 1 ", "+1", "01", "\t1", "1\v", "1\r\n"])
def test_an_integer_may_have_a_sign_and_white_space_around_it(parse, text):
    assert parsed(parse, [text], "int32") == [1]


@BOTH
@pytest.mark.parametrize(
    "text", ["", "x", "0x10", "1e3", "1_000", "1.0", "--1", "+-1", "- 1", "1 2", "٣", "1\x00"]
)
def test_what_is_no_integer_is_told_apart(parse, text):
    assert parsed(parse, [text], "int64") == [None]


@BOTH
def test_an_integer_must_fit_its_dtype(parse):
    texts = [str(n) for n in (2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1, 2**63, -(2**63))]

    assert parsed(parse, texts, "int32") == [2**31 - 1, None, -(2**31), None, None, None, None]
    assert parsed(parse, texts, "int64")[4:] == [2**63 - 1, None, -(2**63)]


@BOTH
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.", 1),
        ("  .5", 0.5),
        ("1E3", 1000),
        ("0x1.8p1", 3),
        ("-0X10", -16),
        ("INFINITY", np.inf),
        ("-inf", -np.inf),
        ("1e400", np.inf),
        ("-1e99999999999", -np.inf),
        ("1e-400", 0),
    ],
)
def test_a_float_is_read_as_tensorflow_reads_it(parse, text, value):
    assert parsed(parse, [text], "float64") == [value]


@BOTH
@pytest.mark.parametrize("text", ["nan", "NaN", "-nan", "nan()", "nan(abc_1)"])
def test_nan_has_several_names(parse, text):
    assert np.isnan(parsed(parse, [text], "float32")[0])


@BOTH
@pytest.mark.parametrize(
    "text",
    ["", ".", ".e5", "1e", "1e+", "1d3", "1f", "1_0", "infx", "nan(-)", "0x", "0x1p", "00x10"],
)
def test_what_is_no_float_is_told_apart(parse, text):
    assert parsed(parse, [text], "float32") == [None]


@BOTH
def test_a_float32_is_rounded_once(parse):
    texts = ["1.00000005960464477539062500001", "1.000000059604644775390625", "3.40282357e38"]

    assert parsed(parse, texts, "float32") == [np.float32(1.0000001), 1, np.inf]


@BOTH
@pytest.mark.parametrize(("start", "stop"), [(-1, 0), (0, 4), (2, 1)])
def test_text_outside_the_data_is_refused(parse, start, stop):
    data = np.frombuffer(b"123", np.uint8)

    with pytest.raises(ValueError, match="inside the data"):
        parse(data, np.array([start]), np.array([stop]), np.dtype("int32"))
