"""Whether two values are the same to the last bit."""

import numpy as np
import pytest

from feedline.graph.same import same_values


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.float32(1), np.float32(1)),
        (np.array([1, 2]), np.array([1, 2])),
        (np.array([np.nan, 1.0]), np.array([-np.nan, 1.0])),
        (np.array([1 + np.nan * 1j]), np.array([1 + np.nan * 1j])),
        (np.array(["a", None], object), np.array(["a", None], object)),
        (np.array(["2020-01-01"], "M8[D]"), np.array(["2020-01-01"], "M8[D]")),
        (np.asfortranarray(np.eye(3)), np.eye(3)),
    ],
)
def test_values_with_the_same_numbers_are_the_same(first, second):
    assert same_values(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.float32(1), np.float64(1)),
        (np.array([1, 2]), np.array([[1, 2]])),
        (np.array([0.0]), np.array([-0.0])),
        (np.array([1.0]), np.nextafter(np.array([1.0]), 2)),
        (np.array([0j]), np.array([complex(-0.0, 0.0)])),
        (np.array([1, 2]), np.array([1, 3])),
        (np.array([np.nan]), np.array([1.0])),
    ],
)
def test_values_that_differ_in_dtype_shape_or_a_bit_are_not(first, second):
    assert not same_values(first, second)
