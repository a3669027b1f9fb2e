import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from feedline.errors import DecodeError
from feedline.image.png_bytes import png_bytes
from feedline.image.png_pixels import decode
from feedline.limits import image_pixels_limited
from tests.image.files import FILES, damaged, pixels_or_error

IMAGES = st.sampled_from([np.uint8, np.uint16]).flatmap(
    lambda dtype: nps.arrays(
        dtype, st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 4))
    )
)


def with_checksums(data):
    """The file with the checksum of each part made right, so that damage gets further."""
    at = 8
    while at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        data = data[:end] + struct.pack(">I", zlib.crc32(data[at + 4 : end])) + data[end + 4 :]
        at = end + 4
    return data


@given(image=IMAGES)
def test_what_was_written_is_read(image):
    found = decode("f()", png_bytes(image), 0, image.dtype == np.uint16)

    assert found.dtype == image.dtype
    assert np.array_equal(found, image)


@given(image=IMAGES)
def test_sixteen_bits_lose_their_lower_half_in_eight(image):
    found = decode("f()", png_bytes(image), 0, False)

    assert np.array_equal(found, image if image.dtype == np.uint8 else image >> 8)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("cut.png", "it is cut short"),
        ("no_end.png", "it is cut short"),
        ("checksum.png", "the checksum of its part b'IDAT' is wrong"),
        ("signature.png", "it is cut short"),
    ],
)
def test_the_error_says_what_is_damaged(name, reason):
    with pytest.raises(DecodeError, match=reason):
        decode("f()", FILES[name], 0, False)


def sized(width, height):
    data = FILES["rgb8.png"]
    return with_checksums(data[:16] + struct.pack(">II", width, height) + data[24:])


def test_a_huge_size_in_a_header_is_refused_before_anything_is_allocated():
    with pytest.raises(DecodeError, match="60000 x 60000 pixels"):
        decode("f()", sized(60_000, 60_000), 0, False)


def test_a_size_that_the_bytes_cannot_fill_is_refused_before_anything_is_allocated():
    with pytest.raises(DecodeError, match="far too few bytes"):
        decode("f()", sized(16_000, 16_000), 0, False)


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (1 << 31, 1)])
def test_a_size_that_cannot_be_is_refused(size):
    with pytest.raises(DecodeError, match="its header cannot be"):
        decode("f()", sized(*size), 0, False)


@given(data=damaged("png").map(with_checksums), channels=st.sampled_from([0, 1, 3, 4]))
def test_damaged_bytes_give_pixels_or_a_decode_error(data, channels):
    with image_pixels_limited(1 << 20):
        found = pixels_or_error(lambda: decode("f()", data, channels, True))

    assert found is None or (found.dtype == np.uint16 and channels in (0, found.shape[2]))
