from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError
from feedline.ragged import constant
from feedline.spec import DatasetSpec, TensorSpec, string
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Point = namedtuple("Point", ["x", "y"])


@dataclass
class Sample:
    image: object
    label: object


CASES = [
    Dataset.from_tensors(42),
    Dataset.from_tensors("text"),
    Dataset.from_tensors(b"bytes"),
    Dataset.from_tensors([[1.5, 2], [3, 4]]),
    Dataset.from_tensors(["a", "bcd"]),
    Dataset.from_tensors(np.zeros((2, 0, 3))),
    Dataset.from_tensors(({"a": 1, "b": [True]}, Point(2.0, b"x"))),
    Dataset.from_tensors(Sample(np.zeros((2, 2), np.uint8), 1)),
    Dataset.from_tensors(constant([[1], [2, 3]])),
    Dataset.from_tensors((1, "x")).repeat(3),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[-1])


def test_there_is_one_element_and_it_is_what_was_given():
    ds = Dataset.from_tensors(({"a": [1, 2]}, 0.5, "x"))

    expected = ({"a": np.array([1, 2], np.int32)}, np.float32(0.5), "x")
    assert_same_elements(ds, [expected])
    assert len(ds) == 1
    assert ds.element_spec == (
        {"a": TensorSpec((2,), np.int32)},
        TensorSpec((), np.float32),
        TensorSpec((), string),
    )


def test_a_list_of_tuples_is_an_array():
    assert_same_elements(
        Dataset.from_tensors([(1, 2), (3, 4)]), [np.array([[1, 2], [3, 4]], np.int32)]
    )


def test_an_empty_list_is_an_empty_array_of_floats():
    assert Dataset.from_tensors([]).element_spec == TensorSpec((0,), np.float32)


def test_a_dataset_can_be_the_element():
    ds = Dataset.from_tensors(Dataset.range(3))

    (inner,) = ds
    assert [int(x) for x in inner] == [0, 1, 2]
    assert ds.element_spec == DatasetSpec(TensorSpec((), np.int64))


def test_arrays_are_not_copied_and_cannot_be_changed_through_the_element():
    array = np.zeros(3)
    (element,) = Dataset.from_tensors(array)

    assert np.shares_memory(element, array)
    with pytest.raises(ValueError, match="read-only"):
        element[0] = 1


def test_an_element_needs_a_value():
    with pytest.raises(BuildError, match=r"from_tensors\(\): the structure has no values"):
        Dataset.from_tensors(())
