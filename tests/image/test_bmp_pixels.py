import struct

import numpy as np
import pytest
from hypothesis import given

from feedline.errors import BuildError, DecodeError
from feedline.image.bmp_pixels import decode
from feedline.limits import image_pixels_limited
from tests.image.files import FILES, damaged, pixels_or_error


@given(data=damaged("bmp"))
def test_damaged_bytes_give_pixels_or_a_decode_error(data):
    with image_pixels_limited(1 << 20):
        found = pixels_or_error(lambda: decode("f()", data, 0))

    assert found is None or (found.dtype == np.uint8 and found.ndim == 3)


PLAIN = FILES["rgb.bmp"]


def changed(at, form, *values):
    return PLAIN[:at] + struct.pack(form, *values) + PLAIN[at + struct.calcsize(form) :]


def test_rows_may_begin_at_the_top():
    upside_down = decode("f()", changed(22, "<i", -4), 0)

    assert np.array_equal(upside_down[::-1], decode("f()", PLAIN, 0))


def test_a_bmp_is_not_made_grey():
    with pytest.raises(BuildError, match="rgb_to_grayscale"):
        decode("f()", PLAIN, 1)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (FILES["bits.bmp"], "8, 24 or 32 bits for a pixel are known, it has 1"),
        (FILES["cut.bmp"], r"by its header it should have \d+"),
        (FILES["longer.bmp"], r"by its header it should have \d+"),
        (FILES["head.bmp"], "shorter than its header"),
        (changed(18, "<i", 0), "it says that it is 4 x 0"),
        (changed(18, "<ii", 60_000, 60_000), "60000 x 60000 pixels"),
        (changed(22, "<i", -(2**31)), "2147483648 x 5 pixels"),
    ],
)
def test_the_error_says_what_is_damaged(data, reason):
    with pytest.raises(DecodeError, match=reason):
        decode("f()", data, 0)
