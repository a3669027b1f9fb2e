import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import InvalidArgumentError
from feedline.tools.converting.column_kinds import ColumnKinds
from feedline.tools.example_bytes import FLOAT, INT, TEXT


def kind_of(fields):
    kinds = ColumnKinds()
    for field in fields:
        kinds.see_text("c", field)
    return kinds


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_whole_numbers_come_back(numbers):
    kinds = kind_of(map(str, numbers))

    assert [kinds.of_text("c", str(number)) for number in numbers] == [
        (INT, [number]) for number in numbers
    ]


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=1))
def test_numbers_come_back(numbers):
    kinds = kind_of([*map(repr, numbers), "0.5"])

    assert [kinds.of_text("c", repr(number))[1][0] for number in numbers] == numbers


@given(st.lists(st.text(), min_size=1))
def test_any_text_is_kept(fields):
    kinds = kind_of([*fields, "text"])

    assert [kinds.of_text("c", field) for field in fields] == [
        (TEXT, [field.encode("utf-8", "surrogateescape")]) for field in fields
    ]


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        (["1", ""], INT),
        (["1", "1.5"], FLOAT),
        (["1", "x"], TEXT),
        (["inf", "-NaN"], FLOAT),
        (["9223372036854775808"], FLOAT),
        (["1_000"], TEXT),
        (["٣"], TEXT),
    ],
)
def test_a_column_has_the_first_kind_that_holds_all_of_it(fields, kind):
    assert kind_of(fields).kinds["c"] == kind


def test_what_float32_cannot_hold_is_infinite():
    kinds = kind_of(["1e300"])

    assert kinds.of_text("c", "1e300") == (FLOAT, [float("inf")])
    assert np.float32(kinds.of_text("c", "3.4028235e38")[1][0]) == np.finfo(np.float32).max


def test_what_is_neither_number_nor_text_is_refused():
    with pytest.raises(InvalidArgumentError, match="column 'c' holds a complex"):
        ColumnKinds().see("c", 1j)
