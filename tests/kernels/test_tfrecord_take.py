"""Records copied out of their frames, run after run."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.tfrecord_scan import BAD_DATA, BAD_LENGTH, NO_DAMAGE, tfrecord_scan_twin
from feedline.kernels.tfrecord_take import tfrecord_take, tfrecord_take_twin
from tests.kernels.tfrecords import damaged_frames, framed, of

BOTH = pytest.mark.parametrize("take", [tfrecord_take, tfrecord_take_twin])


def taken(take, data, start=0, room=1000, most=100, before=(0,)):
    """What a call returned, and the records it left."""
    out, offsets = np.full(room, 7, np.uint8), np.full(most + 1, -1, np.int64)
    offsets[: len(before)] = before
    result = take(of(data), start, out, offsets, len(before) - 1)
    return result, out.tobytes(), offsets.tolist()


@given(
    damaged_frames(),
    st.integers(0, 40),
    st.integers(0, 120),
    st.integers(0, 10),
)
def test_native_equals_twin(data, start, room, most):
    start = min(start, len(data))

    assert taken(tfrecord_take, data, start, room, most) == taken(
        tfrecord_take_twin, data, start, room, most
    )


@given(damaged_frames())
def test_it_stops_where_a_scan_stops(data):
    (count, at, damage, needed), _, offsets = taken(tfrecord_take, data)
    bounds, scan_damage, scan_needed = tfrecord_scan_twin(of(data), 0, 100, True)

    assert (count, at) == (len(bounds) - 1, bounds[-1])
    assert (damage, needed) == (scan_damage, scan_needed)
    assert offsets[: count + 1] == (bounds - 16 * np.arange(count + 1)).tolist()


@BOTH
def test_records_come_after_those_that_are_there(take):
    result, out, offsets = taken(take, framed(b"three", b"", b"four"), 0, 12, 5, (0, 3))

    assert result == (4, 21 + 16 + 20, NO_DAMAGE, 12)
    assert out == b"\x07\x07\x07threefour"
    assert offsets == [0, 3, 8, 8, 12, -1]


@BOTH
def test_no_more_is_taken_than_there_is_room_for(take):
    data = framed(b"one", b"two", b"three", b"four", b"five")

    assert taken(take, data, room=10)[0] == (2, 38, NO_DAMAGE, 21)
    assert taken(take, data, room=0)[0] == (0, 0, NO_DAMAGE, 19)
    assert taken(take, data, most=4)[0] == (4, 79, NO_DAMAGE, 12)
    assert taken(take, data, most=0)[0] == (0, 0, NO_DAMAGE, 12)


@BOTH
@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (0, (0, 0, BAD_LENGTH, 12)),
        (13, (0, 0, BAD_DATA, 19)),
        (40, (2, 38, BAD_LENGTH, 12)),
        (52, (2, 38, BAD_DATA, 21)),
        (58, (2, 38, BAD_DATA, 21)),
        (60, (3, 59, BAD_LENGTH, 12)),
    ],
)
def test_what_stands_before_damage_is_taken(take, at, expected):
    data = bytearray(framed(b"one", b"two", b"three", b"four"))
    data[at] ^= 128

    assert taken(take, bytes(data))[0] == expected


@BOTH
def test_records_of_very_different_lengths_are_taken(take):
    records = [b"", b"x" * 5000, b"y" * 17, b"z" * 400, b"", b"w" * 2049, b"v" * 8]

    (count, *_), out, offsets = taken(take, framed(*records), room=10_000)

    assert count == len(records)
    assert [out[a:b] for a, b in pairwise(offsets[: count + 1])] == records


@BOTH
def test_arguments_must_be_sound(take):
    data = framed(b"one")

    with pytest.raises(ValueError, match="start must be inside"):
        taken(take, data, start=20)
    with pytest.raises(ValueError, match="one more offset"):
        take(of(data), 0, np.zeros(9, np.uint8), np.zeros(2, np.int64), 2)
    with pytest.raises(ValueError, match="offsets must be inside"):
        taken(take, data, room=5, before=(6,))
    with pytest.raises(ValueError, match="offsets must be inside"):
        taken(take, data, before=(-1,))
