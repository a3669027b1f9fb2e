"""Records out of their frames."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.tfrecord_records import (
    tfrecord_check,
    tfrecord_check_twin,
    tfrecord_records,
    tfrecord_records_twin,
)
from tests.kernels.tfrecords import framed, of, records

FUNCTIONS = [tfrecord_records, tfrecord_records_twin, tfrecord_check, tfrecord_check_twin]
BOTH_CHECKS = pytest.mark.parametrize("check", [tfrecord_check, tfrecord_check_twin])


def numbers(*values):
    return np.array(values, np.int64)


@given(records, st.data())
def test_native_equals_twin(values, data):
    bounds = np.cumsum([0, *(len(value) + 16 for value in values)])
    places = data.draw(st.lists(st.sampled_from(range(len(values))) if values else st.nothing()))
    index = np.array(places, np.int64)
    frames = of(framed(*values))

    found, offsets = tfrecord_records(frames, bounds[:-1][index], bounds[1:][index])
    expected, twins = tfrecord_records_twin(frames, bounds[:-1][index], bounds[1:][index])

    assert found.tobytes() == expected.tobytes() == b"".join(values[i] for i in places)
    assert offsets.dtype == np.int64
    assert offsets.tolist() == twins.tolist()
    assert tfrecord_check(frames, bounds[:-1], bounds[1:]) == -1


@BOTH_CHECKS
@pytest.mark.parametrize(("at", "damaged"), [(0, 0), (9, 0), (13, 0), (18, 0), (20, 1), (55, 2)])
def test_the_first_damaged_frame_is_told(check, at, damaged):
    data = bytearray(framed(b"one", b"", b"three"))
    data[at] ^= 128

    assert check(of(bytes(data)), numbers(0, 19, 35), numbers(19, 35, 56)) == damaged


@BOTH_CHECKS
def test_a_frame_of_another_length_is_damaged(check):
    data = of(framed(b"one", b"", b"three"))

    assert check(data, numbers(0, 0), numbers(19, 35)) == 1
    assert check(data, numbers(35), numbers(55)) == 0
    assert check(data, numbers(), numbers()) == -1


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("start", "stop"),
    [(0, 15), (-1, 20), (0, 200), (20, 0), (0, -(2**63)), (2**63 - 1, -(2**63)), (-(2**63), 9)],
)
def test_bounds_that_are_no_frames_are_refused(function, start, stop):
    with pytest.raises(ValueError, match="bounds"):
        function(of(framed(b"one", b"", b"three")), numbers(0, start), numbers(19, stop))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_bounds_must_be_pairs(function):
    with pytest.raises(ValueError, match="length"):
        function(of(framed(b"one")), numbers(0), numbers())
