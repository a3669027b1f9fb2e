import numpy as np
import pytest

from feedline.errors import BuildError, BuildTypeError, DecodeError
from feedline.image.formats import check_pixels, contents_of, damaged, format_of
from feedline.limits import image_pixels_limited
from tests.image.files import FILES

KINDS = {"jpg": "jpeg", "png": "png", "gif": "gif", "bmp": "bmp", "webp": "webp"}


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith(".bin")])
def test_a_format_is_told_by_the_first_bytes(name):
    assert format_of("f()", FILES[name]) == KINDS[name.split(".")[1]]


def test_no_bytes_at_all_are_no_image():
    with pytest.raises(DecodeError, match=r"f\(\): there is nothing to decode.*0 bytes"):
        format_of("f()", b"")


def test_other_bytes_are_shown():
    with pytest.raises(DecodeError, match=r"the 20 bytes are no image: they begin with b'this is "):
        format_of("f()", b"this is not an image")


@pytest.mark.parametrize("value", [b"ab", bytearray(b"ab"), "ab", np.array(b"ab", object)])
def test_contents_may_come_as_any_kind_of_single_string(value):
    assert bytes(contents_of("f()", value)) == b"ab"


def test_several_images_are_refused():
    with pytest.raises(BuildError, match=r"one image, got an array of shape \[2\].*Dataset.map"):
        contents_of("f()", [b"a", b"b"])


def test_numbers_are_refused():
    with pytest.raises(BuildTypeError, match="must be the bytes of an image"):
        contents_of("f()", 5)


def test_the_limit_counts_all_frames_and_names_its_setting():
    with image_pixels_limited(599):
        check_pixels("f()", "gif", 10, 59)
        with pytest.raises(DecodeError, match=r"3 x 10 x 20 pixels.*599.*Options.max_image_pixels"):
            check_pixels("f()", "gif", 10, 20, frames=3)


def test_damage_is_told_with_call_format_and_reason():
    error = damaged("f()", "png", b"abc", "it is cut short")

    assert str(error) == "f(): the PNG of 3 bytes is damaged: it is cut short."
