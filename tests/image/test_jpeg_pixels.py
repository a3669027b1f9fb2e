import struct

import numpy as np
import pytest
import simplejpeg
from hypothesis import given

from feedline.errors import BuildError, DecodeError
from feedline.image.jpeg_pixels import JpegHeader, JpegSettings, decode, header, size_of
from feedline.limits import image_pixels_limited
from tests.image.files import FILES, damaged, pixels_or_error

PLAIN = FILES["s420.jpg"]


def test_the_header_tells_size_and_colours():
    assert header("f()", PLAIN) == JpegHeader(13, 17, "YCbCr")
    assert header("f()", FILES["gray.jpg"]).channels == 1
    assert header("f()", FILES["ycck.jpg"]).is_cmyk


def test_pixels_are_written_into_given_memory():
    out = np.zeros((13, 17, 3), np.uint8)

    decode("f()", PLAIN, 3, out=out)

    assert np.array_equal(out, simplejpeg.decode_jpeg(PLAIN, fastdct=True))


def test_pixels_of_cmyk_are_written_into_given_memory():
    out = np.zeros((13, 17, 3), np.uint8)

    assert decode("f()", FILES["cmyk.jpg"], 0, out=out) is out
    assert np.array_equal(out, decode("f()", FILES["cmyk.jpg"], 3))


def test_cmyk_does_not_become_grey():
    with pytest.raises(DecodeError, match=r"in CMYK.*channels=3"):
        decode("f()", FILES["cmyk.jpg"], 1)


def test_four_channels_are_refused():
    with pytest.raises(BuildError, match="0, 1 or 3, got 4"):
        decode("f()", PLAIN, 4)


@pytest.mark.parametrize(
    ("at_least", "size"),
    [
        ((2, 2), (2, 3)),
        ((3, 2), (4, 5)),
        ((5, 5), (7, 9)),
        ((8, 1), (13, 17)),
        ((99, 99), (13, 17)),
    ],
)
def test_the_smallest_size_that_is_large_enough_is_decoded(at_least, size):
    settings = JpegSettings(at_least=at_least)

    assert size_of(header("f()", PLAIN), settings) == size
    assert decode("f()", PLAIN, 3, settings).shape == (*size, 3)


@pytest.mark.parametrize("name", ["cut.jpg", "no_end.jpg"])
def test_an_image_that_is_cut_short_says_what_to_do(name):
    with pytest.raises(DecodeError, match=r"f\(\): the JPEG of \d+ bytes is cut short.*recover"):
        decode("f()", FILES[name], 3)


def test_what_is_there_of_an_image_that_is_cut_short_can_be_had():
    found = decode("f()", FILES["no_end.jpg"], 3, JpegSettings(try_recover_truncated=True))

    assert np.array_equal(found, decode("f()", PLAIN, 3))


def test_an_acceptable_fraction_alone_is_said_to_be_no_help():
    with pytest.raises(DecodeError, match="acceptable_fraction is no help"):
        decode("f()", FILES["cut.jpg"], 3, JpegSettings(acceptable_fraction=0.1))


@pytest.mark.parametrize("marker", [b"\xff\xdb", b"\xff\xc0", b"\xff\xc4", b"\xff\xda"])
def test_bytes_between_the_parts_of_a_header_are_passed_over(marker):
    at = PLAIN.index(marker)

    found = decode("f()", PLAIN[:at] + b"\x01\x02" + PLAIN[at:], 3)

    assert np.array_equal(found, decode("f()", PLAIN, 3))


def test_a_huge_size_in_a_header_is_refused_before_anything_is_allocated():
    at = PLAIN.index(b"\xff\xc0") + 5
    huge = PLAIN[:at] + struct.pack(">HH", 60_000, 60_000) + PLAIN[at + 4 :]

    with pytest.raises(DecodeError, match=r"60000 x 60000 pixels.*max_image_pixels"):
        decode("f()", huge, 3)


@given(data=damaged("jpg"))
def test_damaged_bytes_give_pixels_or_a_decode_error(data):
    with image_pixels_limited(1 << 20):
        found = pixels_or_error(
            lambda: decode("f()", data, 0, JpegSettings(try_recover_truncated=True))
        )

    assert found is None or (found.dtype == np.uint8 and found.ndim == 3)
