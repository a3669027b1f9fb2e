"""What a function makes of elements, known without an element."""

import numpy as np
import pytest

from feedline.graph.function_spec import recorded_for, spec_of_result
from feedline.graph.untraceable import Untraceable
from feedline.spec import TensorSpec

IMAGE = TensorSpec((28, 28), np.uint8)
WORDS = TensorSpec((None, 3), np.float32)


def test_shapes_and_dtypes_follow_from_the_recording():
    found = spec_of_result(lambda x: {"a": x / 255, "b": x.sum(axis=0), "c": x[0, 0]}, IMAGE)

    assert found == {
        "a": TensorSpec((28, 28), np.float32),
        "b": TensorSpec((28,), np.uint64),
        "c": TensorSpec((), np.uint8),
    }


def test_unknown_lengths_stay_unknown():
    assert spec_of_result(lambda x: x * 2, WORDS) == WORDS


def test_what_is_handed_on_keeps_its_spec():
    text = TensorSpec((), object)

    found = spec_of_result(lambda x, text: (text, x + 1), (IMAGE, text))

    assert found == (text, IMAGE)


def test_constants_have_theirs():
    assert spec_of_result(lambda x: (x, 1.5), IMAGE)[1] == TensorSpec((), np.float32)


@pytest.mark.parametrize("shape", [None, (3, None)])
def test_lengths_that_are_not_known_stay_so(shape):
    spec = TensorSpec(shape, np.float32)

    assert spec_of_result(lambda x: x + 1, spec) == spec


@pytest.mark.parametrize(
    ("fn", "spec"),
    [
        (lambda x: x if x[0, 0] else -x, IMAGE),
        (lambda x: x[x > 0], TensorSpec((3,), np.float32)),
    ],
)
def test_what_cannot_be_known_is_refused(fn, spec):
    with pytest.raises(Untraceable):
        spec_of_result(fn, spec)


def test_a_predicate_may_not_change_its_argument():
    def fn(x):
        x += 1
        return x.sum() > 0

    assert recorded_for(fn, IMAGE).program.vectorised
    with pytest.raises(Untraceable):
        recorded_for(fn, IMAGE, may_change=False)
