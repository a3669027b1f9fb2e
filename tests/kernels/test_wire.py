"""Protobuf's wire format, field by field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.wire import (
    DELIMITED,
    FIXED32,
    FIXED64,
    VARINT,
    WireError,
    fields,
    read_varint,
    signed,
    varint,
)


@given(st.integers(-(2**63), 2**63 - 1))
def test_a_varint_is_read_as_it_was_written(number):
    data = varint(number)

    assert read_varint(data, 0, len(data)) == (number % 2**64, len(data))
    assert signed(number % 2**64) == number


def test_every_kind_of_field_is_told_apart():
    data = b"\x08\x96\x01" + b"\x11" + bytes(8) + b"\x1a\x02ab" + b"\x25" + bytes(4)

    assert list(fields(data, 0, len(data))) == [
        (1, VARINT, 150, 0),
        (2, FIXED64, (4, 12), 3),
        (3, DELIMITED, (14, 16), 12),
        (4, FIXED32, (17, 21), 16),
    ]


def test_groups_are_gone_past():
    data = b"\x13\x1b\x08\x01\x1c\x14" + b"\x08\x07"

    assert [value for _, _, value, _ in fields(data, 0, len(data))] == [7]


@pytest.mark.parametrize(
    ("data", "offset", "what"),
    [
        (b"\x08", 1, "cut short"),
        (b"\x08" + b"\xff" * 10, 1, "more than ten bytes"),
        (b"\x00\x01", 0, "no field number 0"),
        (b"\x80\x80\x80\x80\x10", 0, "no field number"),
        (b"\x0a\x05ab", 1, "5 bytes are announced, 2 are left"),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 1, "announced, 0 are left"),
        (b"\x0d\x00", 1, "4 bytes are needed, 1 are left"),
        (b"\x09\x00", 1, "8 bytes are needed"),
        (b"\x0c", 0, "wire type 4"),
        (b"\x0f", 0, "wire type 7"),
        (b"\x0b\x08\x01", 1, "group 1 does not end"),
        (b"\x0b\x14", 1, "group 2 ends inside another"),
        (b"\x0b" * 200, 100, "more than 100 groups"),
    ],
)
def test_what_is_no_message_is_an_error_at_a_byte(data, offset, what):
    with pytest.raises(WireError, match=what) as raised:
        list(fields(data, 0, len(data)))

    assert raised.value.offset == offset


@given(st.binary(max_size=60))
def test_any_bytes_are_fields_or_an_error(data):
    places = []
    try:
        places += [at for *_, at in fields(data, 0, len(data))]
    except WireError as error:
        places.append(error.offset)

    assert all(0 <= at <= len(data) for at in places)
