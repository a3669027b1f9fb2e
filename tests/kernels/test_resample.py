"""Images cut out, resized, mirrored and made floats in one pass."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedline.kernels.resample import STEPS, resample, resample_twin
from feedline.kernels.taps import METHODS

BOTH = pytest.mark.parametrize("run", [resample, resample_twin])
LENGTHS = st.integers(1, 40)


@st.composite
def _calls(draw):
    """Any images, laid out in any way, and what to do with them."""
    draws = np.random.default_rng(draw(st.integers(0, 2**32)))
    count, channels = draw(st.integers(0, 3)), draw(st.integers(1, 5))
    height, width = draw(LENGTHS), draw(LENGTHS)
    shape = (count, height, width, channels)
    images = draws.integers(0, 256, shape).astype(np.uint8)
    if draw(st.booleans()):
        images = (images / 7 - 12).astype(np.float32)
    images = {
        "plain": images,
        "turned": images.transpose(0, 2, 1, 3),
        "mirrored": images[:, ::-1, ::-1],
        "every other": np.repeat(images, 2, 1)[:, ::2],
        "part": np.pad(images, [(0, 0), (2, 1), (1, 3), (0, 0)])[:, 2:-1, 1:-3],
    }[draw(st.sampled_from(["plain", "turned", "mirrored", "every other", "part"]))]
    height, width = images.shape[1:3]
    boxes, flips = None, None
    if draw(st.booleans()):
        sizes = draws.integers(1, [height + 1, width + 1], (count, 2))
        starts = draws.integers(0, [height, width] - sizes + 1)
        boxes = np.concatenate([starts, sizes], 1)
    if draw(st.booleans()):
        flips = draws.integers(0, 4, count).astype(np.uint8)

    def steps():
        names = draw(st.lists(st.sampled_from(list(STEPS)), max_size=3))
        return [(name, draws.uniform(0.5, 9, channels).astype(np.float32)) for name in names]

    kwargs = {"boxes": boxes, "flips": flips, "before": steps(), "after": steps()}
    method, antialias = draw(st.sampled_from(METHODS)), draw(st.booleans())
    return images, (draw(LENGTHS), draw(LENGTHS)), method, antialias, kwargs


def _made(run, images, size, method, antialias, **kwargs):
    out = np.full((len(images), *size, images.shape[3]), -77, np.float32)
    run(images, out, method, antialias, **kwargs)
    return out


@settings(max_examples=300)
@given(_calls())
def test_native_equals_twin(call):
    images, size, method, antialias, kwargs = call

    made = _made(resample, images, size, method, antialias, **kwargs)
    expected = _made(resample_twin, images, size, method, antialias, **kwargs)

    assert np.array_equal(made, expected)


@BOTH
@pytest.mark.parametrize("method", METHODS)
def test_one_pixel_is_spread_over_any_size(run, method):
    images = np.full((1, 1, 1, 3), 9, np.uint8)

    assert np.allclose(_made(run, images, (4, 5), method, True), 9)


@BOTH
@pytest.mark.parametrize("method", METHODS)
def test_everything_goes_into_one_pixel(run, method):
    images = np.full((1, 20, 30, 3), 9, np.uint8)

    assert np.allclose(_made(run, images, (1, 1), method, True), 9)


@BOTH
def test_an_image_that_has_its_size_keeps_infinite_numbers(run):
    images = np.array([[[[np.inf], [1]]]], np.float32)

    assert np.array_equal(_made(run, images, (1, 2), "bilinear", False), images)


@BOTH
@pytest.mark.parametrize(
    "box",
    [
        *((-1, 0, 2, 2), (0, -1, 2, 2), (0, 0, 5, 2), (0, 0, 2, 7), (3, 0, 2, 2), (0, 5, 2, 2)),
        *((0, 0, 2**62, 2), (2**62, 0, 2**62, 2), (0, -(2**62), 1, 2**62)),
    ],
)
def test_a_box_outside_of_the_image_is_refused(run, box):
    images = np.zeros((1, 4, 6, 3), np.uint8)

    with pytest.raises(ValueError, match="outside"):
        _made(run, images, (2, 2), "bilinear", False, boxes=np.array([box], np.int64))


@BOTH
@pytest.mark.parametrize("box", [(0, 0, 0, 2), (0, 0, 2, 0), (0, 0, -1, 2)])
def test_an_empty_box_is_refused(run, box):
    images = np.zeros((1, 4, 6, 3), np.uint8)

    with pytest.raises(ValueError, match="at least one pixel"):
        _made(run, images, (2, 2), "bilinear", False, boxes=np.array([box], np.int64))


@BOTH
@pytest.mark.parametrize("shape", [(1, 0, 6, 3), (1, 4, 0, 3), (1, 4, 6, 0)])
def test_images_without_pixels_are_refused(run, shape):
    with pytest.raises(ValueError, match="at least one pixel"):
        _made(run, np.zeros(shape, np.uint8), (2, 2), "bilinear", False)


@BOTH
def test_a_size_of_zero_is_refused(run):
    with pytest.raises(ValueError, match="at least 1"):
        _made(run, np.zeros((1, 4, 6, 3), np.uint8), (0, 2), "bilinear", False)


@BOTH
@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"boxes": np.zeros((2, 4), np.int64)}, "box per image"),
        ({"flips": np.zeros(2, np.uint8)}, "flip per image"),
        ({"before": [("add", np.zeros(2, np.float32))]}, "constant per channel"),
    ],
)
def test_parameters_must_fit_the_images(run, wrong, text):
    with pytest.raises(ValueError, match=text):
        _made(run, np.zeros((1, 4, 6, 3), np.uint8), (2, 2), "bilinear", False, **wrong)
