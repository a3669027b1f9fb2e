from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.ragged import constant
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Point = namedtuple("Point", ["x", "y"])


@dataclass
class Sample:
    image: object
    label: object


CASES = [
    Dataset.from_tensor_slices([1, 2, 3]),
    Dataset.from_tensor_slices(np.zeros((5, 2, 3), np.uint8)),
    Dataset.from_tensor_slices(["a", "bcd", ""]),
    Dataset.from_tensor_slices([b"a", b"b\0"]),
    Dataset.from_tensor_slices([["a", "b"], ["c", "d"]]),
    Dataset.from_tensor_slices(np.zeros((0, 3))),
    Dataset.from_tensor_slices(np.zeros((3, 0))),
    Dataset.from_tensor_slices(({"a": [1, 2]}, Point([0.5, 1], ["x", "y"]))),
    Dataset.from_tensor_slices(Sample(np.zeros((4, 2)), [1, 2, 3, 4])),
    Dataset.from_tensor_slices(constant([[1], [2, 3], []])),
    Dataset.from_tensor_slices(constant([[["a"], []], [["b", "c"]]])),
    Dataset.from_tensor_slices((np.arange(9), np.arange(9) * 0.5)).shuffle(4).batch(2).repeat(2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[-1])


def test_every_row_is_an_element():
    ds = Dataset.from_tensor_slices({"x": [[1, 2], [3, 4]], "y": ["a", "b"]})

    rows = [np.array([1, 2], np.int32), np.array([3, 4], np.int32)]
    assert_same_elements(ds, [{"x": rows[0], "y": "a"}, {"x": rows[1], "y": "b"}])
    assert ds.element_spec == {"x": TensorSpec((2,), np.int32), "y": TensorSpec((), string)}
    assert len(ds) == 2


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, 2], np.int32),
        ([1, 1 << 40], np.int64),
        ([1.5], np.float32),
        ([True], np.bool_),
        (np.array([1]), np.int64),
        (np.array([1.5]), np.float64),
    ],
)
def test_python_numbers_become_32_bits_wide_and_arrays_keep_their_dtype(values, dtype):
    assert Dataset.from_tensor_slices(values).element_spec.dtype == dtype


def test_elements_are_views_that_cannot_be_changed():
    data = np.zeros((3, 2))
    first = next(iter(Dataset.from_tensor_slices(data)))

    assert np.shares_memory(first, data)
    with pytest.raises(ValueError, match="read-only"):
        first[0] += 1
    first += 1  # makes another tensor, as in TensorFlow
    assert data.flags.writeable
    assert not data.any()


def test_elements_can_be_read_by_index():
    ds = Dataset.from_tensor_slices(([1, 2, 3], ["a", "b", "c"]))

    assert_same_elements([ds[1], ds[-1]], [(np.int32(2), "b"), (np.int32(3), "c")])
    with pytest.raises(IndexError, match="index 3 is out of range for a dataset of 3"):
        ds[3]


def test_arrays_of_different_lengths_are_refused():
    with pytest.raises(BuildError, match=r"must be equally long, got \['a'\]: 2, \['b'\]: 3"):
        Dataset.from_tensor_slices({"a": [1, 2], "b": [1, 2, 3]})


@pytest.mark.parametrize("value", [5, "text", np.float32(1), None], ids=repr)
def test_what_has_no_first_axis_is_refused(value):
    with pytest.raises(
        BuildTypeError, match=r"from_tensor_slices\(\): the value must have a first"
    ):
        Dataset.from_tensor_slices(value)


def test_a_structure_without_arrays_is_refused():
    with pytest.raises(BuildError, match=r"from_tensor_slices\(\): the structure has no arrays"):
        Dataset.from_tensor_slices({})


def test_datasets_in_a_list_are_the_elements():
    parts = [tf.data.Dataset.range(2), tf.data.Dataset.range(3)]
    ds = tf.data.Dataset.from_tensor_slices(parts)

    assert ds.element_spec == tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))
    assert list(ds.interleave(lambda part: part, cycle_length=2)) == [0, 0, 1, 1, 2]
    both = tf.data.Dataset.from_tensor_slices((parts, [5, 6]))
    assert [(len(list(part)), int(n)) for part, n in both] == [(2, 5), (3, 6)]
    with pytest.raises(tf.errors.FeedlineError, match="nothing but datasets"):
        tf.data.Dataset.from_tensor_slices([parts[0], 3])
