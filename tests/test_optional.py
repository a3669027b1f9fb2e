import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.data.experimental import Optional, get_next_as_optional
from feedline.errors import NoValueError


def test_a_value_comes_back_as_an_element():
    optional = Optional.from_value((3, "x", {"y": [1.5]}))

    assert optional.has_value()
    number, text, rest = optional.get_value()
    assert (number, text) == (np.int32(3), "x")
    assert rest["y"].dtype == np.float32


def test_an_empty_optional_has_no_value():
    optional = Optional.empty(tf.TensorSpec((), tf.int32))

    assert not optional.has_value()
    assert optional.has_value().numpy() == np.False_
    assert optional.element_spec == tf.TensorSpec((), tf.int32)
    with pytest.raises(NoValueError, match=r"there is no value. Ask has_value"):
        optional.get_value()


def test_what_an_optional_says_and_holds_are_tensors():
    optional = Optional.from_value(3)

    assert optional.has_value().numpy() is np.True_
    assert optional.get_value().numpy() == 3


def test_none_is_a_value():
    assert Optional.from_value(None).has_value()


def test_the_spec_is_that_of_the_value():
    assert Optional.from_value(3).element_spec == tf.TensorSpec((), tf.int32)


def test_an_iterator_gives_its_elements_and_then_empty_optionals():
    it = iter(Dataset.range(2))
    found = [it.get_next_as_optional(), get_next_as_optional(it), it.get_next_as_optional()]

    assert [optional.has_value() for optional in found] == [True, True, False]
    assert [int(optional.get_value()) for optional in found[:2]] == [0, 1]
    assert found[2].element_spec == tf.TensorSpec((), tf.int64)
    assert not it.get_next_as_optional().has_value()


def test_the_spec_from_an_iterator_is_that_of_its_elements():
    it = iter(Dataset.range(5).batch(2))

    assert it.get_next_as_optional().element_spec == tf.TensorSpec((None,), tf.int64)


def test_an_optional_is_shown_with_its_value():
    assert repr(Optional.from_value(3)) == "Optional(np.int32(3))"
    assert repr(Optional.empty(None)) == "Optional.empty()"


def test_an_optional_may_be_an_element():
    ds = Dataset.range(2).map(Optional.from_value)

    assert ds.element_spec == tf.OptionalSpec(tf.TensorSpec((), tf.int64))
    assert [int(x.get_value()) for x in ds] == [0, 1]
