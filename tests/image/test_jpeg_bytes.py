import io

import numpy as np
from PIL import Image

from feedline.image.jpeg_bytes import JpegWriting, jpeg_bytes

IMAGE = np.random.default_rng(0).integers(0, 256, (16, 24, 3)).astype(np.uint8)


def opened(**settings):
    return Image.open(io.BytesIO(jpeg_bytes(IMAGE, JpegWriting(**settings))))


def test_density_and_its_unit_are_written():
    found = opened(per_centimetre=True, density=(72, 10)).info

    assert (found["jfif_unit"], found["jfif_density"]) == (2, (72, 10))


def test_a_progressive_image_says_so():
    assert opened(progressive=True).info["progressive"]


def test_a_text_goes_into_the_header():
    assert opened(xmp=b"<x/>").info["xmp"] == b"<x/>"


def test_an_optimized_image_is_smaller():
    plain, optimized = JpegWriting(), JpegWriting(optimize_size=True)

    assert len(jpeg_bytes(IMAGE, optimized)) < len(jpeg_bytes(IMAGE, plain))


def test_rows_that_lie_apart_are_encoded_as_they_are():
    assert jpeg_bytes(IMAGE[::2], JpegWriting()) == jpeg_bytes(IMAGE[::2].copy(), JpegWriting())
