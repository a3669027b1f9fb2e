import numpy as np
import pytest
from hypothesis import given

from feedline.errors import BuildError, DecodeError
from feedline.image.webp_pixels import decode
from feedline.limits import image_pixels_limited
from tests.image.files import FILES, damaged, pixels_or_error


@given(data=damaged("webp"))
def test_damaged_bytes_give_pixels_or_a_decode_error(data):
    with image_pixels_limited(1 << 20):
        found = pixels_or_error(lambda: decode("f()", data, 0))

    assert found is None or (found.dtype == np.uint8 and found.ndim == 4)


def test_frames_of_an_animation_come_along_a_first_axis():
    found = decode("f()", FILES["moving.webp"], 0)

    assert found.shape == (3, 6, 7, 4)
    assert np.array_equal(decode("f()", FILES["moving.webp"], 4, first_only=True), found[:1])


@pytest.mark.parametrize(("name", "channels"), [("lossless.webp", 4), ("alpha.webp", 3)])
def test_channels_must_be_those_of_the_image(name, channels):
    with pytest.raises(BuildError, match=r"the WebP has \d channels"):
        decode("f()", FILES[name], channels)


def test_grey_is_refused():
    with pytest.raises(BuildError, match="0, 3 or 4, got 1"):
        decode("f()", FILES["lossless.webp"], 1)


def test_a_huge_size_in_a_header_is_refused_before_anything_is_allocated():
    data = FILES["moving.webp"]
    huge = data[:24] + (60_000 - 1).to_bytes(3, "little") * 2 + data[30:]

    with pytest.raises(DecodeError, match=r"60000 x 60000 pixels.*max_image_pixels"):
        decode("f()", huge, 0)


@pytest.mark.parametrize(
    ("name", "size"), [("lossless.webp", 42), ("lossy.webp", 42), ("moving.webp", 3 * 42)]
)
def test_every_kind_of_header_is_held_to_the_limit(name, size):
    with image_pixels_limited(size):
        decode("f()", FILES[name], 0)
    with image_pixels_limited(size - 1), pytest.raises(DecodeError, match="6 x 7 pixels"):
        decode("f()", FILES[name], 0)


def test_a_limit_of_pillow_is_named(monkeypatch):
    monkeypatch.setattr("PIL.Image.MAX_IMAGE_PIXELS", 1)

    with pytest.raises(DecodeError, match=r"Pillow refuses the WebP.*PIL.Image.MAX_IMAGE_PIXELS"):
        decode("f()", FILES["lossless.webp"], 0)
