"""Adversaries that return what nobody expects."""

import numpy as np

from feedline.data import Dataset
from tests.graph.adversaries.case import FLOATS, TEXTS, Acts, case, dicts, numbers


@case("vectorised")
def an_array_and_views_of_it():
    return Acts(lambda x: (x, x[1:], x[::-1], x))


@case("changes an array in place of which there are views")
def writing_into_a_view():
    def fn(x):
        view = x[:2]
        view += 1
        return x

    return Acts(fn)


@case("vectorised")
def constants():
    table = np.arange(3)
    return Acts(lambda x: (x, table, 1, 2.5, True, "text", b"bytes", None, 2**63, 1j, -0.0))


@case("vectorised")
def lists_of_lists():
    return Acts(lambda x: {"a": [[x[0], 1], [2, x[1]]]})


@case("plain")
def lists_that_are_not_rectangular():
    return Acts(lambda x: {"a": [[1, 2], [3]]})


@case("selects by a mask", numbers)
def a_shape_that_depends_on_a_value():
    return Acts(lambda x: np.arange(24)[np.arange(24) > x])


@case("vectorised", dicts)
def a_dict_that_is_changed():
    def fn(e):
        e["d"] = e["a"] * 2
        e.pop("b")
        return e

    return Acts(fn)


@case("vectorised", lambda: Dataset.from_tensor_slices((FLOATS, TEXTS)))
def a_text_that_is_handed_on():
    return Acts(lambda x, text: (x * 2, text, text))


@case("gets a leaf that is None", lambda: numbers().map(lambda x: (x, None if x % 3 else b"x")))
def a_leaf_that_is_sometimes_none():
    return Acts(lambda x, y: x + 1 if y is None else x - 1)
