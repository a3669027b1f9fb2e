"""Recorded operations and the places of values in their arguments."""

import numpy as np

from feedline.graph.op import LeafForm, Ref, resolved


def test_refs_in_nested_arguments_are_replaced():
    argument = ([Ref(1), 2], {"a": (Ref(0), "text")}, slice(1, 2))

    found = resolved(argument, lambda number: f"value {number}")

    assert found == (["value 1", 2], {"a": ("value 0", "text")}, slice(1, 2))


def test_refs_are_equal_by_number():
    assert Ref(1) == Ref(1)
    assert Ref(1) != Ref(2)
    assert {Ref(1): "one"}[Ref(1)] == "one"
    assert repr(Ref(3)) == "%3"


def test_a_form_with_an_unknown_length_is_not_dense():
    assert LeafForm((2, 3), np.dtype("f4")).is_dense
    assert not LeafForm((None, 3), np.dtype("f4")).is_dense
    assert not LeafForm(None, np.dtype("f4")).is_dense
