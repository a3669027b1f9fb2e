"""Which numbers of an axis each number of the resized axis is made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.taps import METHODS, area_scale, lerps_of, nearest_places, taps_of

LENGTHS = st.integers(1, 60)
SUMMED = [method for method in METHODS if method not in ("nearest", "bilinear")]


@given(LENGTHS, LENGTHS)
def test_nearest_places_rise_from_one_end_to_the_other(length, out):
    places = nearest_places(length, out)

    assert len(places) == out
    assert places[0] >= 0
    assert places[-1] <= length - 1
    assert np.all(np.diff(places) >= 0)


@given(LENGTHS, LENGTHS)
def test_lerps_lie_between_neighbours(length, out):
    lower, upper, part = lerps_of(length, out)

    assert np.all((upper - lower >= 0) & (upper - lower <= 1))
    assert np.all((part >= 0) & (part < 1))
    assert np.all((lower >= 0) & (upper < length))


@pytest.mark.parametrize("method", [method for method in SUMMED if method != "area"])
@given(length=LENGTHS, out=LENGTHS, antialias=st.booleans())
def test_the_weights_of_a_number_are_one_together(method, length, out, antialias):
    places, weights = taps_of(method, length, out, antialias)

    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert np.all((places >= 0) & (places < length))


@given(length=LENGTHS, out=LENGTHS)
def test_the_shares_of_an_area_fill_it(length, out):
    _, weights = taps_of("area", length, out, False)

    assert np.allclose(weights.sum(axis=1) * area_scale((length, 1), (out, 1)), 1, atol=1e-4)


@pytest.mark.parametrize("method", SUMMED)
def test_an_axis_that_keeps_its_length_keeps_its_numbers(method):
    places, weights = taps_of(method, 5, 5, True)
    smoothing = method in ("gaussian", "mitchellcubic")

    centre = np.where(places == np.arange(5)[:, None], weights, 0).sum(axis=1)
    assert np.allclose(centre, 1, atol=0.3 if smoothing else 1e-6)
