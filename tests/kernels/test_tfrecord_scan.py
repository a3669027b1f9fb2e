"""Finding records in their frames."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedline.kernels.tfrecord_scan import (
    BAD_DATA,
    BAD_LENGTH,
    NO_DAMAGE,
    tfrecord_scan,
    tfrecord_scan_twin,
)
from tests.kernels.tfrecords import damaged_frames, framed, header, of

BOTH = pytest.mark.parametrize("scan", [tfrecord_scan, tfrecord_scan_twin])
FRAMES = framed(b"one", b"", b"three")


@settings(max_examples=400)
@given(damaged_frames(), st.integers(0, 60), st.integers(0, 12), st.booleans())
def test_native_equals_twin(data, start, most, checks):
    start = min(start, len(data))
    bounds, damage, needed = tfrecord_scan(of(data), start, most, checks)
    expected, *rest = tfrecord_scan_twin(of(data), start, most, checks)

    assert bounds.dtype == np.int64
    assert bounds.tolist() == expected.tolist()
    assert [damage, needed] == rest


@BOTH
def test_all_frames_are_found(scan):
    bounds, damage, needed = scan(of(FRAMES), 0, 100, True)

    assert (bounds.tolist(), damage, needed) == ([0, 19, 35, 56], NO_DAMAGE, 12)


@BOTH
def test_no_more_are_found_than_were_sought(scan):
    assert scan(of(FRAMES), 19, 1, True)[0].tolist() == [19, 35]
    assert scan(of(FRAMES), 19, 0, True)[0].tolist() == [19]


@BOTH
@pytest.mark.parametrize("cut", range(1, 57))
def test_a_frame_that_is_cut_off_is_not_found(scan, cut):
    bounds, damage, needed = scan(of(FRAMES[:-cut]), 0, 100, True)
    whole = [at for at in (0, 19, 35, 56) if at <= 56 - cut]
    left = 56 - cut - whole[-1]

    assert bounds.tolist() == whole
    assert damage == NO_DAMAGE
    assert needed == (12 if left < 12 else {0: 19, 19: 16, 35: 21}[whole[-1]])


@BOTH
@pytest.mark.parametrize("at", range(12))
def test_a_bad_length_is_told(scan, at):
    data = bytearray(FRAMES)
    data[19 + at] ^= 4

    bounds, damage, _ = scan(of(bytes(data)), 0, 100, True)

    assert (bounds.tolist(), damage) == ([0, 19], BAD_LENGTH)


@BOTH
@pytest.mark.parametrize("at", range(47, 56))
def test_bad_data_is_told_with_the_length_of_the_frame(scan, at):
    data = bytearray(FRAMES)
    data[at] ^= 4

    bounds, damage, needed = scan(of(bytes(data)), 0, 100, True)

    assert (bounds.tolist(), damage, needed) == ([0, 19, 35], BAD_DATA, 21)
    assert scan(of(bytes(data)), 0, 100, False)[1] == NO_DAMAGE


@BOTH
@pytest.mark.parametrize("length", [2**60, 2**63 - 17, 2**63 - 1, 2**63, 2**64 - 1])
def test_an_absurd_length_with_a_good_checksum_finds_nothing(scan, length):
    bounds, damage, needed = scan(of(header(length) + bytes(100)), 0, 2**62, True)

    assert (bounds.tolist(), damage) == ([0], NO_DAMAGE)
    assert needed == min(length + 16, 2**63 - 1)


@BOTH
def test_a_start_outside_is_refused(scan):
    with pytest.raises(ValueError, match="start must be inside"):
        scan(of(FRAMES), 57, 1, True)
