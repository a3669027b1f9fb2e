"""The hue and saturation of pixels, against TensorFlow's formulas one pixel at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from feedline.kernels.color import (
    adjusted_hue,
    adjusted_hue_twin,
    adjusted_saturation,
    adjusted_saturation_twin,
)

F = np.float32
SHAPES = st.tuples(st.integers(0, 3), st.integers(0, 300), st.just(3))
BYTES = arrays.arrays(np.uint8, SHAPES)
FLOATS = arrays.arrays(F, SHAPES, elements=st.floats(0, 1, width=32))
ODD = arrays.arrays(F, SHAPES, elements=st.floats(width=32))
TURNS = st.floats(-1, 1, width=32)
PIXELS = arrays.arrays(F, 3, elements=st.floats(0, 1, width=32))
BOTH = pytest.mark.parametrize("adjusted", [adjusted_hue, adjusted_hue_twin])
EACH = pytest.mark.parametrize(
    "adjusted", [adjusted_hue, adjusted_hue_twin, adjusted_saturation, adjusted_saturation_twin]
)


@pytest.mark.parametrize(
    ("native", "twin", "most"),
    [
        (adjusted_hue, adjusted_hue_twin, 1),
        (adjusted_saturation, adjusted_saturation_twin, 2),
    ],
)
@given(pixels=BYTES | FLOATS | ODD, seed=st.integers(0, 99))
def test_native_equals_twin(native, twin, most, pixels, seed):
    parameters = np.random.default_rng(seed).uniform(-most, most, len(pixels)).astype(F)

    made, expected = native(pixels, parameters), twin(pixels, parameters)

    assert made.dtype == pixels.dtype
    assert made.shape == pixels.shape
    assert np.array_equal(made, expected, equal_nan=made.dtype == F)


def turned(pixel, delta):
    """TensorFlow's kernel, in float32."""
    r, g, b = pixel
    if r < g:
        order = (g, r, b, 1) if b < r else (b, g, r, 3) if b > g else (g, b, r, 2)
    else:
        order = (r, g, b, 0) if b < g else (b, r, g, 4) if b > r else (r, b, g, 5)
    top, middle, bottom, sixth = order
    hue = F(0)
    if top != bottom:
        ratio = F(F(middle - bottom) / F(top - bottom))
        hue = F(F(sixth) + (ratio if sixth % 2 == 0 else F(F(1) - ratio)))
    hue = F(hue + F(delta * F(6)))
    while hue < 0:
        hue = F(hue + F(6))
    while hue >= 6:
        hue = F(hue - F(6))
    sixth = int(hue)
    ratio = F(hue - F(sixth))
    ratio = ratio if sixth % 2 == 0 else F(F(1) - ratio)
    middle = F(bottom + F(ratio * F(top - bottom)))
    return [
        (top, middle, bottom),
        (middle, top, bottom),
        (bottom, top, middle),
        (bottom, middle, top),
        (middle, bottom, top),
        (top, bottom, middle),
    ][sixth]


@given(PIXELS, TURNS)
def test_hue_is_turned_as_tensorflow_turns_it(pixel, delta):
    made = adjusted_hue(pixel.reshape(1, 1, 3), np.array([delta], F))

    assert made.reshape(-1).tolist() == [float(part) for part in turned(pixel, F(delta))]


def saturated(pixel, factor):
    """TensorFlow's kernel, in float32."""
    r, g, b = pixel
    top = max(r, g, b)
    span = F(top - min(r, g, b))
    if span <= 0:
        hue = F(0)
    else:
        norm = F(F(1) / F(F(6) * span))
        if r == top:
            hue = F(norm * F(g - b))
        elif g == top:
            hue = F(float(F(norm * F(b - r))) + 2 / 6)
        else:
            hue = F(float(F(norm * F(r - g))) + 4 / 6)
    hue = F(hue + F(1)) if hue < 0 else hue
    saturation = F(min(F(1), max(F(0), F(F(span / top) * factor)))) if top > 0 else F(0)
    chroma = F(saturation * top)
    rest = F(top - chroma)
    turn = F(hue * F(6))
    phase = turn
    while phase <= 0:
        phase = F(phase + F(2))
    while phase >= 2:
        phase = F(phase - F(2))
    x = F(chroma * F(F(1) - abs(F(phase - F(1)))))
    parts = [(chroma, x, 0), (x, chroma, 0), (0, chroma, x), (0, x, chroma), (x, 0, chroma)]
    chosen = [*parts, (chroma, 0, x), (0, 0, 0)][int(turn)]
    return tuple(F(F(part) + rest) for part in chosen)


# Pixels nearly of one colour overflow in TensorFlow's formula.
@given(PIXELS.map(lambda p: np.round(p, 4).astype(F)), st.floats(0, 3, width=32))
def test_saturation_is_multiplied_as_tensorflow_multiplies_it(pixel, factor):
    made = adjusted_saturation(pixel.reshape(1, 1, 3), np.array([factor], F))

    assert made.reshape(-1).tolist() == [float(part) for part in saturated(pixel, F(factor))]


@EACH
def test_pixels_with_nearly_one_colour_stay_numbers(adjusted):
    pixels = np.array([[[1e-45, 0, 0], [0, 1e-38, 2e-45], [1, 1, 1 - 6e-8]]], F)

    assert np.isfinite(adjusted(pixels, np.array([0.3], F))).all()


@BOTH
@pytest.mark.parametrize("delta", [1.5, -1.5, np.nan, np.inf])
def test_more_than_a_turn_is_refused(adjusted, delta):
    with pytest.raises(ValueError, match="at most one turn"):
        adjusted(np.zeros((1, 2, 3), F), np.array([delta], F))


@EACH
@pytest.mark.parametrize("count", [0, 2, 3])
def test_another_number_of_parameters_is_refused(adjusted, count):
    with pytest.raises(ValueError, match=r"parameter|one size"):
        adjusted(np.zeros((1, 5, 3), F), np.zeros(count, F))


@EACH
def test_pixels_that_lie_in_another_order_are_the_same(adjusted):
    pixels = np.random.default_rng(0).random((2, 7, 3)).astype(F)
    parameters = np.array([0.1, 0.2, 0.3, 0.4], F)[::2]

    made = adjusted(np.asfortranarray(pixels), parameters)

    assert np.array_equal(made, adjusted(pixels, parameters.copy()))
