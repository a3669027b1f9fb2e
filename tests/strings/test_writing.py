import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline import strings as s
from feedline.errors import BuildError, BuildTypeError


@given(st.integers(-(2**63), 2**63 - 1))
def test_integers_come_back_from_their_text(number):
    assert s.to_number(s.as_string(np.int64(number)), np.int64) == number


@given(st.floats(allow_nan=False), st.integers(0, 12))
def test_floats_are_written_as_c_writes_them(number, precision):
    text = s.as_string(np.float64(number), precision=precision)

    assert text == (f"{number:.{precision}f}" if math.isfinite(number) else str(number))


def test_numbers_become_str():
    assert tf.as_string(1) == "1"
    assert tf.as_string([True]).tolist() == ["true"]


def test_what_is_neither_a_number_nor_text_is_refused():
    with pytest.raises(BuildTypeError, match="numbers or strings"):
        s.as_string(np.array(["2020-01-01"], "datetime64[D]"))


def test_a_text_needs_as_many_values_as_placeholders():
    with pytest.raises(BuildError, match=r"got 2 of '\{\}' for 1"):
        s.format("{} {}", (1,))


def test_one_value_needs_no_list():
    assert s.format("{} items", 3) == "3 items"
