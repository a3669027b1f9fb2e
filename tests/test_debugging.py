"""Checks that raise, eagerly, in functions and over blocks."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import SpecError

debugging = tf.debugging

GOOD = [
    lambda: debugging.assert_equal([1, 2], [1, 2]),
    lambda: debugging.assert_equal("a", "a"),
    lambda: debugging.assert_none_equal([1, 2], [2, 1]),
    lambda: debugging.assert_less(1, [2, 3]),
    lambda: debugging.assert_less_equal([1, 2], 2),
    lambda: debugging.assert_greater([3.0], 2.5),
    lambda: debugging.assert_greater_equal(3, 3),
    lambda: debugging.assert_positive([1]),
    lambda: debugging.assert_negative([-1.5]),
    lambda: debugging.assert_non_negative([0, 1]),
    lambda: debugging.assert_non_positive([0, -1]),
    lambda: debugging.assert_near([1.0], [1.0 + 1e-7]),
    lambda: debugging.assert_all_finite([1.0], "x"),
    lambda: debugging.assert_rank([1, 2], 1),
    lambda: debugging.assert_rank_at_least([[1]], 1),
    lambda: debugging.assert_rank_in([[1]], (1, 2)),
    lambda: debugging.assert_scalar(3),
    lambda: debugging.assert_type([1.0], tf.float32),
    lambda: debugging.assert_integer([1]),
    lambda: debugging.assert_shapes({"x": ("N",)} and [(np.ones(2), ("N",)), (np.ones(2), ["N"])]),
    lambda: debugging.assert_same_float_dtype([np.float32(1)], tf.float32),
]
BAD = [
    lambda: debugging.assert_equal([1, 2], [1, 3]),
    lambda: debugging.assert_equal("a", "b"),
    lambda: debugging.assert_none_equal([1, 2], [2, 2]),
    lambda: debugging.assert_less(2, [2, 3]),
    lambda: debugging.assert_less_equal([1, 3], 2),
    lambda: debugging.assert_greater([2.5], 2.5),
    lambda: debugging.assert_greater_equal(2, 3),
    lambda: debugging.assert_positive([0]),
    lambda: debugging.assert_negative([0.0]),
    lambda: debugging.assert_non_negative([0, -1]),
    lambda: debugging.assert_non_positive([0, 1]),
    lambda: debugging.assert_near([1.0], [1.1]),
    lambda: debugging.assert_all_finite([np.nan], "x"),
    lambda: debugging.assert_rank([1, 2], 2),
    lambda: debugging.assert_rank_at_least([1], 2),
    lambda: debugging.assert_rank_in([1], (2, 3)),
    lambda: debugging.assert_scalar([3]),
    lambda: debugging.assert_type([1.0], tf.float64),
    lambda: debugging.assert_integer([1.5]),
    lambda: debugging.assert_shapes([(np.ones(2), ("N",)), (np.ones(3), ["N"])]),
    lambda: debugging.assert_shapes([(np.ones(2), (3,))]),
    lambda: debugging.assert_same_float_dtype([np.float32(1), np.float64(1)]),
    lambda: debugging.check_numerics([np.inf], "x"),
]


@pytest.mark.parametrize("check", GOOD)
def test_what_holds_passes(check):
    check()


@pytest.mark.parametrize("check", BAD)
def test_what_does_not_hold_raises(check):
    with pytest.raises(SpecError):
        check()


def test_a_message_is_said():
    with pytest.raises(SpecError, match="labels out of range"):
        debugging.assert_less([5], 3, message="labels out of range")


def test_a_check_is_made_at_every_call_of_a_function():
    @tf.function
    def fn(x):
        debugging.assert_positive(x)
        return x

    assert fn(np.int32(1)) == 1
    with pytest.raises(SpecError, match="x > 0 must hold"):
        fn(np.int32(-1))


def test_a_check_over_blocks_names_the_element():
    def checked(x):
        debugging.assert_less(x, 70)
        return x * 2

    found = []
    with pytest.raises(SpecError) as caught:
        found.extend(int(x) for x in tf.data.Dataset.range(100).map(checked))

    assert "element 70" in caught.value.__notes__[0]


def test_the_text_of_a_check_stands_where_tensorflow_has_it():
    with pytest.raises(SpecError, match="some are equal"):
        tf.debugging.assert_none_equal([1, 2], [2, 2], None, "some are equal")
    tf.debugging.assert_none_equal([1, 2], [2, 3])
    with pytest.raises(SpecError, match="not finite"):
        tf.debugging.assert_all_finite([1.0, float("inf")], "not finite")
