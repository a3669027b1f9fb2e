import json

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.ragged import constant
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

CASES = [
    Dataset.from_tensor_slices([1, 37, 2, 37, 2, 1]).unique(),
    Dataset.from_tensor_slices(["a", "b", "a", "", "b"]).unique(),
    Dataset.from_tensor_slices([b"a", b"b", b"a"]).unique().repeat(2),
    Dataset.from_tensor_slices([[1, 2], [1, 2], [2, 1]]).unique(),
    Dataset.from_tensor_slices([["a", "b"], ["a", "b"], ["b", "a"]]).unique(),
    Dataset.from_tensor_slices({"x": [1, 1, 2]}).unique(),
    Dataset.from_tensor_slices(constant([[1], [1, 2], [1]])).unique(),
    Dataset.range(0).unique(),
    Dataset.range(60).map(lambda x: x % 7).unique(),
    Dataset.range(60)
    .shuffle(20, seed=1, reshuffle_each_iteration=False)
    .map(lambda x: x % 13)
    .unique(),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", CASES[-2:], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


def test_every_element_comes_once_where_it_first_came():
    ds = Dataset.from_tensor_slices([3, 1, 3, 2, 1]).unique()

    assert_same_elements(ds, [np.int32(3), np.int32(1), np.int32(2)])
    assert ds.cardinality() == -2


def test_rows_of_other_lengths_are_other_elements():
    ds = Dataset.range(6).map(lambda x: np.zeros(x % 3, np.int64)).unique()

    assert [len(x) for x in ds] == [0, 1, 2]


def test_an_infinite_input_is_read_only_as_far_as_needed():
    assert [int(x) for x in Dataset.range(4).repeat().unique().take(4)] == [0, 1, 2, 3]


def test_what_was_seen_is_not_in_the_state():
    it = iter(Dataset.range(5000).map(lambda x: x).unique())
    for _ in range(4000):
        next(it)

    assert len(json.dumps(it.state_dict())) < 500


@pytest.mark.parametrize("values", [[1.5, 2.0], np.array([1, 1], np.int8), [True, False]], ids=str)
def test_other_dtypes_are_refused_where_it_is_written(values):
    with pytest.raises(
        BuildTypeError, match=r"unique\(\): elements must be int32, int64 or strings"
    ):
        Dataset.from_tensor_slices(values).unique()


def test_more_than_one_leaf_is_refused_where_it_is_written():
    with pytest.raises(BuildError, match=r"unique\(\): elements must have exactly one leaf"):
        Dataset.from_tensor_slices(([1], [1])).unique()


def test_what_only_running_tells_is_refused_when_it_runs():
    with pytest.raises(BuildTypeError, match=r"unique\(\): .* got float64\[\]"):
        list(Dataset.range(3).map(lambda x: x / 2).unique())
    with pytest.raises(BuildError, match="exactly one leaf"):
        list(Dataset.range(3).map(lambda x: (x, x)).unique())
