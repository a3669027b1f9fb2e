import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.tools.image_size import image_size
from tests.tools.made import png

JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xfe\0\x05abc\xff\xc2\0\x0b\x08" + struct.pack(">HH", 375, 500)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (png(7, 5), ("PNG", 7, 5)),
        (JPEG, ("JPEG", 500, 375)),
        (b"GIF89a" + struct.pack("<HH", 3, 2), ("GIF", 3, 2)),
        (b"BM" + struct.pack("<IIIIii", 26, 0, 0, 12, 9, -8), ("BMP", 9, 8)),
        (b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\x09\0\0\x04\0\0", ("WebP", 10, 5)),
        (b"RIFF\0\0\0\0WEBPVP8 " + bytes(7) + b"\x9d\x01\x2a\x06\0\x04\0", ("WebP", 6, 4)),
        (
            b"RIFF\0\0\0\0WEBPVP8L" + bytes(4) + b"\x2f" + struct.pack("<I", 5 | 3 << 14),
            ("WebP", 6, 4),
        ),
    ],
)
def test_the_header_tells_the_size(data, found):
    assert image_size(data) == found


@pytest.mark.parametrize("data", [b"", b"text", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", JPEG[:-3]])
def test_what_is_no_whole_header_has_no_size(data):
    assert image_size(data) is None


@given(
    st.sampled_from(
        [b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"BM", b"RIFF\0\0\0\0WEBPVP8X"]
    ),
    st.binary(max_size=60),
)
def test_no_bytes_make_it_fail(head, rest):
    found = image_size(head + rest)

    assert found is None or len(found) == 3
