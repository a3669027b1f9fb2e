import subprocess
import sys

import numpy as np
import pytest

import feedline as tf
from feedline.column import Bytes, Dense, Objects
from feedline.errors import BuildError, DecodeError
from feedline.image.decoded import Decoding, _columns, check_channels, decoded
from feedline.strings.texts import packed
from tests.image.files import FILES

JPEG = Decoding("decode_jpeg()", 3)
SAME = [FILES["s420.jpg"], FILES["s444.jpg"], FILES["progressive.jpg"]]


@pytest.mark.parametrize("column", [packed(SAME), packed([b"x", *SAME]).slice(1, 4), Objects(SAME)])
def test_images_of_one_size_are_decoded_into_one_array(column):
    (found,) = _columns(column, JPEG)

    assert isinstance(found, Dense)
    assert np.array_equal(found.array, [decoded(data, JPEG) for data in SAME])


@pytest.mark.parametrize("other", ["rgb8.png", "cmyk.jpg", "gray.jpg", "one.gif"])
def test_images_that_differ_are_decoded_one_by_one(other):
    images = [*SAME, FILES[other]]

    (found,) = _columns(packed(images), JPEG)

    rows = found.rows()
    assert all(map(np.array_equal, rows, [decoded(data, JPEG) for data in images]))


def test_records_are_decoded_where_they_lie():
    column = packed(SAME)
    before = column.data.copy()

    _columns(Bytes(column.data, column.offsets), JPEG)

    assert np.array_equal(column.data, before)


def test_functions_around_a_decoder_run_on_many_elements_at_once():
    ds = tf.data.Dataset.from_tensor_slices((np.array(SAME * 2, object), np.arange(6)))
    ds = ds.map(lambda data, n: (tf.io.decode_jpeg(data, channels=3), n * 2))

    assert [int(n) for _, n in ds] == [0, 2, 4, 6, 8, 10]
    assert "vectorised" in ds.explain()


def test_the_error_for_a_damaged_image_names_the_record():
    images = np.array([*SAME, FILES["cut.jpg"], *SAME], object)
    ds = tf.data.Dataset.from_tensor_slices(images).map(lambda data: tf.io.decode_jpeg(data))
    iterator = iter(ds)

    assert [next(iterator).shape for _ in range(3)] == [(13, 17, 3)] * 3
    with pytest.raises(DecodeError, match="cut short") as caught:
        next(iterator)
    assert "element 3" in caught.value.__notes__[0]
    assert next(iterator).shape == (13, 17, 3)


@pytest.mark.parametrize("channels", [2, 5, -1, True, "3"])
def test_other_numbers_of_channels_are_refused(channels):
    with pytest.raises(BuildError, match="channels must be 0, 1, 3 or 4"):
        check_channels("f()", channels)


def test_a_format_that_a_function_does_not_take_is_named():
    with pytest.raises(DecodeError, match=r"decode_jpeg\(\): the bytes are a BMP.*decode_image"):
        tf.io.decode_jpeg(FILES["rgb.bmp"])


def test_a_format_that_nothing_decodes_is_named():
    with pytest.raises(DecodeError, match=r"JPEG XL, which it does not decode. No function here"):
        tf.io.decode_image(b"\xff\x0a1234567890")


def test_decoders_are_loaded_for_the_first_image_that_needs_them():
    code = (
        "import sys, feedline as tf; tf.image; tf.io; tf.data\n"
        "assert not {'PIL', 'simplejpeg'} & set(sys.modules)\n"
        f"tf.io.decode_jpeg({FILES['s420.jpg']!r})\n"
        "assert 'simplejpeg' in sys.modules and 'PIL' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_settings_of_pillow_for_others_have_no_effect_here():
    from PIL import Image  # noqa: PLC0415

    before = Image.MAX_IMAGE_PIXELS
    try:
        Image.MAX_IMAGE_PIXELS = 1
        assert tf.io.decode_png(FILES["rgb8.png"]).shape == (5, 6, 3)
        assert tf.io.decode_gif(FILES["one.gif"]).shape == (1, 6, 7, 3)
    finally:
        Image.MAX_IMAGE_PIXELS = before
