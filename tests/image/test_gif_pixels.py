import struct

import numpy as np
import pytest
from hypothesis import given

from feedline.errors import DecodeError
from feedline.image.gif_pixels import decode
from feedline.limits import image_pixels_limited
from tests.image.files import FILES, damaged, pixels_or_error


@given(data=damaged("gif"))
def test_damaged_bytes_give_pixels_or_a_decode_error(data):
    with image_pixels_limited(1 << 20):
        found = pixels_or_error(lambda: decode("f()", data))

    assert found is None or (found.dtype == np.uint8 and found.ndim == 4)


def test_one_frame_can_be_had_alone():
    every = decode("f()", FILES["moving.gif"])

    assert np.array_equal(decode("f()", FILES["moving.gif"], first_only=True), every[:1])
    assert len(every) == 4


@pytest.mark.parametrize(
    ("name", "reason"), [("no_colors.gif", "frame 0 has no palette"), ("head.gif", "cut short")]
)
def test_the_error_says_what_is_damaged(name, reason):
    with pytest.raises(DecodeError, match=reason):
        decode("f()", FILES[name])


def test_a_file_that_ends_in_the_middle_of_a_later_frame_is_not_silently_shorter():
    with pytest.raises(DecodeError, match="cut short"):
        decode("f()", FILES["moving.gif"][:-8])


def test_a_huge_frame_is_refused_before_anything_is_allocated():
    data = FILES["one.gif"]
    at = data.index(b",\0\0\0\0") + 5
    huge = data[:at] + struct.pack("<HH", 60_000, 60_000) + data[at + 4 :]

    with pytest.raises(DecodeError, match="60000 x 60000 pixels"):
        decode("f()", huge)


def test_all_frames_count_for_the_limit():
    with image_pixels_limited(4 * 42 - 1), pytest.raises(DecodeError, match="4 x 6 x 7 pixels"):
        decode("f()", FILES["moving.gif"])
