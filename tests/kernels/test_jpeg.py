"""decode_jpeg: what it knows is libjpeg-turbo's, bit for bit; what it does not know it leaves."""

import io
from pathlib import Path

import numpy as np
import pytest
import simplejpeg
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from feedline.kernels import jpeg
from feedline.kernels.jpeg import (
    decode_jpeg,
    decode_jpeg_part,
    decode_jpeg_part_twin,
    decode_jpeg_twin,
)
from feedline.kernels.native import native

CORPUS = sorted((Path(__file__).parents[2] / "native/tests/corpus/jpeg").iterdir())
COLORS = {1: "GRAY", 3: "RGB"}


def pixels_of(seed, height, width, kind):
    draws = np.random.default_rng(seed)
    if kind == "noise":
        return draws.integers(0, 256, (height, width, 3), dtype=np.uint8)
    if kind == "flat":
        return np.full((height, width, 3), draws.integers(0, 256, 3), np.uint8)
    if kind == "extreme":
        return (draws.integers(0, 2, (height, width, 3)) * 255).astype(np.uint8)
    walk = np.cumsum(draws.normal(0, 9, (height, width, 3)), 1)
    return np.clip(walk + 128, 0, 255).astype(np.uint8)


def written(pixels, is_grey=False, **settings):
    file = io.BytesIO()
    image = Image.fromarray(pixels)
    (image.convert("L") if is_grey else image).save(file, "jpeg", **settings)
    return file.getvalue()


def decoded(data, height, width, channels):
    out = np.full((height, width, channels), 165, np.uint8)
    return out if decode_jpeg(data, out) else None


def reference(data, channels, strict=True):
    return simplejpeg.decode_jpeg(data, COLORS[channels], fastdct=True, strict=strict)


needs_it = pytest.mark.skipif(
    not decode_jpeg(
        CORPUS[0].read_bytes(), np.empty(reference(CORPUS[0].read_bytes(), 1).shape, np.uint8)
    ),
    reason="neither compiled nor on a processor with AVX2",
)


@st.composite
def jpegs(draw):
    height, width = draw(st.integers(1, 70)), draw(st.integers(1, 70))
    kind = draw(st.sampled_from(["noise", "flat", "extreme", "walk"]))
    pixels = pixels_of(draw(st.integers(0, 9999)), height, width, kind)
    is_grey = draw(st.booleans())
    settings = {
        "quality": draw(st.integers(1, 100)),
        "subsampling": draw(st.sampled_from([0, 1, 2])),
        "optimize": draw(st.booleans()),
    }
    if draw(st.booleans()):
        settings["restart_marker_blocks"] = draw(st.integers(1, 20))
    data = written(pixels, is_grey, **settings)
    return data, height, width, 1 if is_grey else 3


@needs_it
@given(jpegs())
def test_pixels_are_those_of_libjpeg_turbo(made):
    data, height, width, channels = made
    for wanted in {1, channels}:
        found = decoded(data, height, width, wanted)
        if found is None:
            assert width <= 4  # too narrow to be made smooth
        else:
            np.testing.assert_array_equal(found, reference(data, wanted))


@needs_it
@given(jpegs(), st.data())
def test_a_part_is_that_of_the_whole_between_its_edges(made, data):
    # At its edges colours are smoothed without their neighbours: golden cases have those.
    jpeg_bytes, height, width, channels = made
    top, left = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    rows, columns = data.draw(st.integers(1, height - top)), data.draw(st.integers(1, width - left))
    out = np.full((rows, columns, channels), 165, np.uint8)
    if not decode_jpeg_part(jpeg_bytes, top, left, out):
        assert width <= 4
        return
    whole = reference(jpeg_bytes, channels)[top : top + rows, left : left + columns]
    first, last = int(left % 16 == 0 < left), columns - int(left + columns < width)
    np.testing.assert_array_equal(out[:, first:last], whole[:, first:last])


@needs_it
@pytest.mark.parametrize("place", [(0, 28), (18, 0), (21, 0), (0, 31)])
def test_a_part_that_is_not_in_the_image_is_left_to_others(place):
    data = written(pixels_of(1, 20, 30, "walk"))
    assert decode_jpeg_part(data, 10, 15, np.empty((10, 15, 3), np.uint8))
    assert not decode_jpeg_part(data, *place, np.empty((3, 3, 3), np.uint8))


@given(jpegs(), st.data())
def test_what_is_damaged_is_left_to_others_or_decoded_as_they_do(made, data):
    damaged, (_, height, width, channels) = bytearray(made[0]), made
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del damaged[data.draw(st.integers(0, len(damaged))) :]
    found = decoded(bytes(damaged), height, width, channels)
    if found is not None:
        # What it warns of, such as an unknown version, makes no difference.
        np.testing.assert_array_equal(found, reference(bytes(damaged), channels, strict=False))


@needs_it
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_the_corpus_is_known(path):
    data = path.read_bytes()
    height, width, colors, _ = simplejpeg.decode_jpeg_header(data)
    channels = 1 if colors == "Gray" else 3
    np.testing.assert_array_equal(decoded(data, height, width, channels), reference(data, channels))


@needs_it
def test_any_bytes_in_one_piece_will_do():
    data = written(pixels_of(1, 20, 30, "walk"))
    expected = reference(data, 3)
    for given_as in (data, bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
        np.testing.assert_array_equal(decoded(given_as, 20, 30, 3), expected)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8\xff\xd9",
        b"\x89PNG\r\n",
        written(pixels_of(1, 20, 30, "walk"), progressive=True),
        written(pixels_of(1, 20, 30, "walk"))[:-2],
        written(pixels_of(1, 20, 30, "walk"))[:-40],
        written(pixels_of(1, 20, 30, "walk"))[:-2] + b"\x12\x34\xff\xd9",
    ],
    ids=["nothing", "no image", "png", "progressive", "no end", "cut short", "too much"],
)
def test_other_kinds_are_left_to_others(data):
    assert decoded(data, 20, 30, 3) is None


@needs_it
def test_another_size_or_too_many_channels_are_left_to_others():
    data = written(pixels_of(1, 20, 30, "walk"))
    assert decoded(data, 20, 31, 3) is None
    assert decoded(data, 21, 30, 3) is None
    assert decoded(written(pixels_of(1, 20, 30, "walk"), is_grey=True), 20, 30, 3) is None


def test_the_twin_knows_none():
    assert not decode_jpeg_twin(
        written(pixels_of(1, 20, 30, "walk")), np.empty((20, 30, 3), np.uint8)
    )
    assert jpeg.decode_jpeg is (decode_jpeg_twin if native is None else native.decode_jpeg)
    part = np.empty((2, 3, 3), np.uint8)
    assert not decode_jpeg_part_twin(written(pixels_of(1, 20, 30, "walk")), 0, 0, part)
    twin_stands_in = native is None
    assert (jpeg.decode_jpeg_part is decode_jpeg_part_twin) is twin_stands_in
