"""Numbers out of keys: the same alone and in any block, distributed as they should be."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.rows import Rows
from feedline.ids import mix_ids
from feedline.random.distributions import (
    categorical_rows,
    normal_rows,
    permutation_rows,
    truncated_normal_rows,
    uniform_rows,
)
from feedline.random.gammas import gamma_rows

KEYS = mix_ids(np.arange(20_000, dtype=np.uint64), 1)
FEW = KEYS[:7]
LOGITS = np.log([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0001]]).astype(np.float32)
FLOATS = [np.float16, np.float32, np.float64]
INTEGERS = [np.int32, np.int64]

# One of every kind, with a shape of several axes, of none, and of an odd number of numbers.
DRAWS = [
    *((uniform_rows, (shape, -2, 3, dtype)) for shape in [(), (3,), (2, 3)] for dtype in FLOATS),
    *((uniform_rows, (shape, -2, 3, dtype)) for shape in [(), (3,)] for dtype in INTEGERS),
    *((uniform_rows, ((3,), None, None, t)) for t in [*INTEGERS, np.uint32, np.uint64]),
    *((normal_rows, (shape, 1.5, 2, dtype)) for shape in [(), (3,), (2, 2)] for dtype in FLOATS),
    *((truncated_normal_rows, (shape, 0, 1, t)) for shape in [(), (9,)] for t in FLOATS),
    *((gamma_rows, ((3, 2), [alpha, 2.5], 2, t)) for alpha in (0.1, 0.6, 1, 4) for t in FLOATS),
    *((categorical_rows, (LOGITS, 5, dtype)) for dtype in INTEGERS),
    (permutation_rows, (6,)),
]
EVERY_DRAW = pytest.mark.parametrize(("rows_of", "args"), DRAWS)


@EVERY_DRAW
@settings(max_examples=15)
@given(keys=hnp.arrays(np.uint64, st.integers(0, 40)))
def test_a_row_is_the_same_alone_and_in_any_block(rows_of, args, keys):
    block = rows_of(keys, *args)
    alone = [rows_of(keys[i : i + 1], *args)[0] for i in range(len(keys))]

    assert len(block) == len(keys)
    assert block.tobytes() == b"".join(row.tobytes() for row in alone)


@EVERY_DRAW
def test_rows_of_different_keys_differ(rows_of, args):
    rows = rows_of(KEYS[:200], *args).reshape(200, -1)

    assert len(np.unique(rows, axis=0)) > 1


@EVERY_DRAW
def test_the_dtype_is_the_one_asked_for(rows_of, args):
    assert rows_of(FEW, *args).dtype == (np.int64 if rows_of is permutation_rows else args[-1])


@pytest.mark.parametrize("rows_of", [uniform_rows, normal_rows, truncated_normal_rows])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 0, 3), (3, 5), (1001,)])
def test_every_row_has_the_shape_asked_for(rows_of, dtype, shape):
    assert rows_of(FEW, shape, 0, 1, dtype).shape == (7, *shape)
    assert rows_of(FEW[:0], shape, 0, 1, dtype).shape == (0, *shape)


@pytest.mark.parametrize("rows_of", [uniform_rows, normal_rows])
@pytest.mark.parametrize("dtype", FLOATS)
def test_a_larger_shape_begins_with_the_numbers_of_a_smaller_one(rows_of, dtype):
    larger = rows_of(FEW, (10,), 0, 1, dtype)

    assert np.array_equal(rows_of(FEW, (7,), 0, 1, dtype), larger[:, :7])


# ---- distributions --------------------------------------------------------------------


def chi_square(counts):
    expected = counts.sum() / counts.size
    return ((counts - expected) ** 2 / expected).sum()


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform_floats_fill_the_range_evenly(dtype):
    numbers = uniform_rows(KEYS, (), 0, 1, dtype).astype(np.float64)

    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert chi_square(np.histogram(numbers, 64, (0, 1))[0]) < 120


@pytest.mark.parametrize("dtype", INTEGERS)
def test_uniform_integers_come_equally_often(dtype):
    numbers = uniform_rows(KEYS, (3,), -5, 6, dtype)

    assert chi_square(np.bincount(numbers.ravel() + 5, minlength=11)) < 35


def test_integers_reach_the_ends_of_their_dtype():
    numbers = uniform_rows(KEYS, (), -(2**63), 2**63 - 1, np.int64).astype(np.float64)

    assert numbers.min() < -0.99 * 2**63
    assert numbers.max() > 0.99 * 2**63


@pytest.mark.parametrize("dtype", FLOATS)
def test_normal_numbers_have_the_moments_of_a_normal_distribution(dtype):
    numbers = normal_rows(KEYS, (4,), 0, 1, dtype).astype(np.float64)

    assert abs(numbers.mean()) < 0.015
    assert abs(numbers.std() - 1) < 0.015
    assert abs((numbers**3).mean()) < 0.04
    assert abs((numbers**4).mean() - 3) < 0.1


def test_mean_and_stddev_are_those_asked_for():
    numbers = normal_rows(KEYS, (), 10, 3, np.float64)

    assert abs(numbers.mean() - 10) < 0.1
    assert abs(numbers.std() - 3) < 0.1


@pytest.mark.parametrize("dtype", FLOATS)
def test_truncated_normal_numbers_stay_within_two_stddevs(dtype):
    numbers = truncated_normal_rows(KEYS, (5,), 0, 1, dtype).astype(np.float64)

    assert np.abs(numbers).max() <= 2
    assert abs(numbers.mean()) < 0.01
    assert abs(numbers.std() - 0.8796) < 0.01


@pytest.mark.parametrize("alpha", [0.2, 1.0, 1.5, 30.0])
def test_gamma_numbers_have_the_moments_of_a_gamma_distribution(alpha):
    numbers = gamma_rows(KEYS, (), alpha, 2.0, np.float64)

    assert abs(numbers.mean() / (alpha / 2) - 1) < 0.05
    assert abs(numbers.var() / (alpha / 4) - 1) < 0.1


def test_classes_are_drawn_by_weight():
    drawn = categorical_rows(KEYS, LOGITS, 2, np.int64)

    first = np.bincount(drawn[:, 0].ravel()) / (2 * len(KEYS))
    np.testing.assert_allclose(first, [0.1, 0.2, 0.7], atol=0.01)
    assert (drawn[:, 1] == 2).mean() < 0.001


def test_a_class_without_a_finite_logit_is_never_drawn():
    logits = np.array([[0, -np.inf, np.nan, 0], [-np.inf] * 4], np.float32)

    drawn = categorical_rows(KEYS[:500], logits, 3, np.int64)

    assert set(drawn[:, 0].ravel()) == {0, 3}
    assert set(drawn[:, 1].ravel()) == {4}


def test_every_order_comes_equally_often():
    orders = permutation_rows(KEYS, 4)
    numbers = orders @ [64, 16, 4, 1]

    assert (np.sort(orders, axis=1) == np.arange(4)).all()
    assert chi_square(np.unique(numbers, return_counts=True)[1]) < 55
    assert len(np.unique(numbers)) == 24


@pytest.mark.parametrize("length", [0, 1])
def test_short_orders(length):
    assert permutation_rows(FEW, length).tolist() == [list(range(length))] * 7


def test_neither_numbers_of_a_row_nor_neighbouring_rows_have_to_do_with_each_other():
    rows = uniform_rows(KEYS, (4,), 0, 1, np.float64)

    within = np.corrcoef(rows, rowvar=False) - np.eye(4)
    between = np.corrcoef(rows[1:].ravel(), rows[:-1].ravel())[0, 1]
    assert np.abs(within).max() < 0.03
    assert abs(between) < 0.03


# ---- parameters -----------------------------------------------------------------------


def test_parameters_broadcast_against_the_shape_of_a_row():
    unit = uniform_rows(FEW, (2, 3), 0, 1, np.float64)

    made = uniform_rows(FEW, (2, 3), [[0], [10]], [20, 20, 30], np.float64)

    low, high = np.array([[0.0], [10.0]]), np.array([20.0, 20.0, 30.0])
    assert np.array_equal(made, unit * (high - low) + low)


def test_a_parameter_may_differ_by_row():
    low = np.arange(7.0)

    made = normal_rows(FEW, (3,), Rows(low), Rows(low + 1), np.float64)

    alone = [normal_rows(FEW[i : i + 1], (3,), i, i + 1, np.float64)[0] for i in range(7)]
    assert np.array_equal(made, alone)


def test_bounds_of_integers_may_differ_by_row():
    high = np.arange(1, 8)

    made = uniform_rows(FEW, (3,), -1, Rows(high), np.int32)

    alone = [uniform_rows(FEW[i : i + 1], (3,), -1, i + 1, np.int32)[0] for i in range(7)]
    assert np.array_equal(made, alone)


def test_logits_may_differ_by_row():
    logits = np.log(np.arange(1.0, 7 * 6 + 1)).reshape(7, 2, 3)

    made = categorical_rows(FEW, Rows(logits), 4, np.int64)

    alone = [categorical_rows(FEW[i : i + 1], logits[i], 4, np.int64)[0] for i in range(7)]
    assert np.array_equal(made, alone)


def test_alpha_may_differ_by_row():
    alpha = np.arange(0.25, 7)

    made = gamma_rows(FEW, (3,), Rows(alpha), None, np.float64)

    alone = [gamma_rows(FEW[i : i + 1], (3,), alpha[i], None, np.float64)[0] for i in range(7)]
    assert np.array_equal(made, alone)


def test_bounds_of_nothing_are_not_looked_at():
    assert uniform_rows(FEW, (0,), 5, 3, np.int32).shape == (7, 0)


# ---- mistakes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (((), 0, None, np.int32), "minval and maxval must both be given for int32"),
        (((), None, 5, np.int64), "got minval=None and maxval=5"),
        (((), 5, 5, np.int32), "minval must be below maxval, got 5 and 5"),
        (((), [0, 1], 5, np.int32), r"minval must be a single number for int32, got shape \(2,\)"),
        (((), 0, 2**31, np.int32), "maxval must fit into int32, got 2147483648"),
    ],
)
def test_bounds_that_cannot_be_are_refused(args, text):
    with pytest.raises(BuildError, match=r"^random\.uniform\(\): .*" + text):
        uniform_rows(FEW, *args)


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (((), 0, 5, np.int8), "dtype must be float16, float32, float64, int32 or int64, got int8"),
        (((), 0, 5, np.uint32), "pass minval=None and maxval=None"),
        (((), 0.5, 5, np.int32), "minval must be an integer for int32, got 0.5"),
        (((), None, None, np.float32), "minval must be a number for float32, got None"),
        (((), "a", 5, np.float32), "minval must be a number for float32, got 'a'"),
    ],
)
def test_bounds_and_dtypes_of_another_type_are_refused(args, text):
    with pytest.raises(BuildTypeError, match=r"^random\.uniform\(\): .*" + text):
        uniform_rows(FEW, *args)


@pytest.mark.parametrize("rows_of", [normal_rows, truncated_normal_rows])
def test_normal_integers_are_refused(rows_of):
    with pytest.raises(BuildTypeError, match="dtype must be float16, float32 or float64"):
        rows_of(FEW, (), 0, 1, np.int32)


@pytest.mark.parametrize(
    ("logits", "num_samples", "text"),
    [
        (LOGITS[0], 3, r"shape \[series, classes\] with at least one class, got \[3\]"),
        (LOGITS[:, :0], 3, r"got \[2, 0\]"),
        (LOGITS, -1, "num_samples must be at least 0, got -1"),
        (np.zeros((2, 2), np.int64), 3, "logits must be floats, got int64"),
    ],
)
def test_choices_that_cannot_be_are_refused(logits, num_samples, text):
    with pytest.raises(BuildError, match=r"^random\.categorical\(\): .*" + text):
        categorical_rows(FEW, logits, num_samples, np.int64)


def test_class_numbers_are_int32_or_int64():
    with pytest.raises(BuildTypeError, match="dtype must be int32 or int64, got float32"):
        categorical_rows(FEW, LOGITS, 3, np.float32)


@pytest.mark.parametrize("alpha", [0, -1.0, math.nan])
def test_alpha_must_be_above_0(alpha):
    with pytest.raises(BuildError, match=r"random\.gamma\(\): alpha must be above 0"):
        gamma_rows(FEW, (2,), alpha, None, np.float32)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_a_shape_of_gamma_numbers_must_end_with_that_of_its_parameters(shape):
    with pytest.raises(BuildError, match=r"must end with the shape of alpha and beta together"):
        gamma_rows(FEW, shape, [1.0, 2.0], None, np.float32)
