from collections import OrderedDict

import numpy as np
import pytest

from feedline import TensorSpec
from feedline.data import Dataset
from feedline.data.experimental import assert_cardinality, from_list, pad_to_cardinality
from feedline.errors import BuildError, BuildTypeError
from feedline.testing import CHECKS, check_resume_in_fresh_process

ROWS = Dataset.from_tensor_slices({"a": [1, 2, 3], "s": ["x", "y", "z"]})
VECTORS = Dataset.from_tensor_slices({"v": np.ones((4, 2), np.float32), "b": [b"p", b"q"] * 2})

CASES = [
    pad_to_cardinality(7)(ROWS),
    pad_to_cardinality(3)(ROWS),
    pad_to_cardinality(5)(VECTORS.map(lambda x: x)),
    pad_to_cardinality(4)(VECTORS.take(0)),
    pad_to_cardinality(4, "s")(ROWS),
    pad_to_cardinality(6)(ROWS).batch(2).shuffle(2, seed=1),
    pad_to_cardinality(6)(ROWS).map(lambda x, *, rng: {"r": rng.random(), **x}),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[0])


def test_padding_is_zeros_and_empty_strings_with_a_false_mask():
    found = list(pad_to_cardinality(5)(ROWS))

    assert found[2] == {"a": 3, "s": "z", "valid": True}
    assert found[3:] == [{"a": 0, "s": "", "valid": False}] * 2
    assert found[3]["a"].dtype == np.int32
    assert isinstance(found[3]["valid"], np.bool_)


def test_padding_of_bytes_is_bytes():
    assert list(pad_to_cardinality(5)(VECTORS))[-1]["b"] == b""


def test_padding_of_an_empty_dataset_comes_from_its_spec():
    (found,) = pad_to_cardinality(1)(VECTORS.take(0))

    np.testing.assert_array_equal(found["v"], np.zeros(2, np.float32))
    assert found["valid"] == np.False_


def test_random_draws_for_padding_differ():
    ds = pad_to_cardinality(6)(ROWS).map(lambda x, *, rng: rng.random())

    assert len(set(ds)) == 6


def test_an_entry_of_the_name_of_the_mask_is_replaced_in_its_place():
    found = list(pad_to_cardinality(4, "a")(ROWS))

    assert [list(row) for row in found] == [["a", "s"]] * 4
    assert [bool(row["a"]) for row in found] == [True, True, True, False]


def test_nested_entries_and_ordered_dicts_stay_as_they_are():
    ds = Dataset.from_tensor_slices(OrderedDict(b=([1, 2], {"q": [1.0, 2.0]}), a=[5, 6]))
    found = list(pad_to_cardinality(3)(ds))

    assert found[2] == OrderedDict(b=(0, {"q": 0.0}), a=0, valid=False)
    assert type(found[0]) is OrderedDict


def test_the_spec_and_the_cardinality_include_the_padding():
    ds = pad_to_cardinality(9)(ROWS)

    assert ds.element_spec["valid"] == TensorSpec((), np.bool_)
    assert ds.cardinality() == 9


def test_a_dataset_that_is_longer_already_is_refused():
    with pytest.raises(BuildError, match="known cardinality of at most 2, got 3"):
        pad_to_cardinality(2)(ROWS)


def test_a_dataset_of_unknown_or_endless_length_is_refused():
    with pytest.raises(BuildError, match=r"got -1. Use assert_cardinality"):
        pad_to_cardinality(2)(ROWS.repeat())


def test_elements_that_are_no_dicts_are_refused():
    with pytest.raises(BuildTypeError, match=r"elements must be dicts, got [*]"):
        pad_to_cardinality(5)(Dataset.range(3))


def test_elements_of_varying_shape_are_refused():
    ds = from_list([{"v": np.zeros(1)}, {"v": np.zeros(2)}])

    with pytest.raises(BuildError, match=r"every shape must be known .* at \['v'\]"):
        pad_to_cardinality(5)(ds)


def test_a_declared_length_is_enough():
    ds = assert_cardinality(3)(ROWS)

    assert len(list(pad_to_cardinality(4)(ds))) == 4
