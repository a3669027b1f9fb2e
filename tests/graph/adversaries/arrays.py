"""Adversaries that change arrays outside."""

import numpy as np

from tests.graph.adversaries.case import Acts, case


@case("changes an array that is not its own")
def an_array_that_is_added_to():
    total = np.zeros(5, np.float32)

    def fn(x):
        total[...] += x
        return total.copy()

    return Acts(fn, total.copy)


@case("changes an array that is not its own")
def an_array_changed_through_a_view():
    table = np.zeros((2, 5), np.float32)

    def fn(x):
        row = table[0]
        row += 1
        return x + table[0]

    return Acts(fn, table.copy)


@case("changes an array that is not its own")
def an_array_that_is_sorted():
    table = np.array([3.0, 1.0, 2.0, 0.0, 4.0])

    def fn(x):
        table.sort()
        return x + table

    return Acts(fn, table.copy)


@case("write into an array that is not recorded")
def an_array_given_as_out_by_position():
    table = np.linspace(-1, 2, 5)

    def fn(x):
        np.clip(table, 0, 1, table)
        return x + table

    return Acts(fn, table.copy)


@case("write into an array that is not recorded")
def an_array_without_nan_in_place():
    table = np.array([np.nan, 1, 2, 3, 4])

    def fn(x):
        np.nan_to_num(table, copy=False)
        return x + table

    return Acts(fn, table.copy)


@case("write into an array that is not recorded")
def a_median_that_overwrites_its_input():
    table = np.array([3.0, 1.0, 2.0, 0.0, 4.0])

    def fn(x):
        return x + np.median(table, overwrite_input=True)

    return Acts(fn, table.copy)


@case("uses np.add.at")
def an_array_added_to_at_places():
    table = np.zeros(5)

    def fn(x):
        np.add.at(table, [0, 0], 1.0)
        return x + table

    return Acts(fn, table.copy)


@case("sets an attribute")
def an_array_whose_shape_is_set():
    table = np.zeros((5, 1), np.float32)

    def fn(x):
        table.shape = (5,)
        return x + table

    return Acts(fn, lambda: table.shape)
