"""Adversaries of rounding, overflow and warnings."""

import numpy as np

from feedline.data import Dataset
from tests.graph.adversaries.case import (
    BYTES,
    COUNT,
    GRIDS,
    Acts,
    case,
    grids,
    numbers,
    ragged,
    small_bytes,
)


@case("vectorised", numbers)
def a_number_that_has_two_names():
    def fn(x):
        y = x
        y += 1
        return x, y

    return Acts(fn)


@case("vectorised", numbers)
def an_array_without_axes_that_has_two_names():
    def fn(x):
        a = np.asarray(x)
        b = a
        b += 1
        return x, a, b

    return Acts(fn)


@case("raises or warns too often", small_bytes)
def bytes_that_wrap_around():
    return Acts(lambda x: x + np.uint8(200))


@case("raises or warns too often", small_bytes)
def bytes_below_zero():
    return Acts(lambda x: -x)


@case("raises or warns too often", numbers)
def numbers_that_wrap_around():
    return Acts(lambda x: (x + 2) * 6364136223846793005)


@case("vectorised", lambda: Dataset.from_tensor_slices(BYTES))
def arrays_of_bytes_that_wrap_around():
    return Acts(lambda x: x + np.uint8(200))


@case("vectorised", numbers)
def division_by_zero_of_one_number():
    return Acts(lambda x: 100 // (x - 5))


@case("raises or warns too often")
def logarithms_of_negative_numbers():
    return Acts(lambda x: np.log(x))


@case("makes NumPy warn")
def a_constant_divided_by_zero():
    return Acts(lambda x: x + np.float32(1) / np.float32(0))


@case("makes NumPy warn")
def a_mean_of_nothing():
    return Acts(lambda x: x + x[:0].mean())


@case("raises or warns too often")
def casts_of_what_does_not_fit():
    return Acts(lambda x: (x * 1e20).astype(np.uint32))


@case("vectorised", numbers)
def an_index_that_is_out_of_range():
    table = np.arange(20)
    return Acts(lambda x: table[x])


@case("vectorised", numbers)
def an_index_error_that_is_caught():
    table = np.arange(20)

    def fn(x):
        try:
            return table[x]
        except IndexError:
            return np.int64(-1)

    return Acts(fn)


@case("vectorised", lambda: Dataset.from_tensor_slices(GRIDS[:, :3] @ GRIDS[:, :3].mT + np.eye(3)))
def a_made_up_element_that_fails_behind_a_bare_except():
    def fn(x):
        try:
            return np.linalg.cholesky(x)
        except:  # noqa: E722
            return x * 0

    return Acts(fn)


@case("vectorised", grids)
def sums_in_every_order():
    return Acts(lambda x: (x.sum(), x.T.sum(axis=0), (x.T * 2).mean(), x[::-1, ::2].sum(axis=-1)))


@case("vectorised", lambda: Dataset.from_tensor_slices(np.asfortranarray(GRIDS)))
def sums_of_elements_in_another_order():
    return Acts(lambda x: (x.sum(), x.mean(axis=0), np.ascontiguousarray(x.T).sum(axis=0)))


@case("vectorised")
def powers_of_zero_and_nan():
    return Acts(lambda x: (np.maximum(x, 0) ** 2, np.where(x > 0, np.nan, -0.0), x * -0.0))


@case("vectorised", lambda: Dataset.from_tensor_slices(np.zeros((COUNT, 0), np.float32)))
def elements_of_nothing():
    return Acts(lambda x: (x * 2, x.sum(), x[None]))


@case("vectorised", lambda: Dataset.from_tensor_slices(np.arange(COUNT).astype("M8[D]")))
def dates():
    return Acts(lambda x: (x + np.timedelta64(1, "D"), x - np.datetime64("1970-01-01")))


@case("vectorised", ragged)
def arrays_of_different_lengths():
    return Acts(lambda x: (x * 2 + 1, x))
