"""Leaves that can only be handed on."""

import operator

import numpy as np
import pytest

from feedline.column import Objects
from feedline.graph.opaque import SPECIAL_NAMES
from feedline.graph.trace import Trace
from feedline.graph.untraceable import Untraceable


def opaque():
    trace = Trace(1, batches=True, sealed=True)
    return trace.opaque("a leaf of type str", ["a"], Objects(["a"]))


@pytest.mark.parametrize(
    "use",
    [
        str,
        repr,
        len,
        iter,
        next,
        bool,
        hash,
        abs,
        bytes,
        float,
        operator.neg,
        lambda x: x + "a",
        lambda x: "a" + x,
        lambda x: x == "a",
        lambda x: x < "a",
        lambda x: "a" in x,
        lambda x: x[0],
        lambda x: x.upper(),
        lambda x: f"{x:>3}",
        lambda x: {x: 1},
        lambda x: np.asarray(x),
    ],
)
def test_using_it_gives_up(use):
    with pytest.raises(Untraceable, match="uses a leaf of type str"):
        use(opaque())


def test_it_can_be_asked_whether_it_is_none():
    assert opaque() is not None


def test_every_operator_has_both_sides():
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "matmul"):
        assert {f"__{name}__", f"__r{name}__"} <= set(SPECIAL_NAMES)
