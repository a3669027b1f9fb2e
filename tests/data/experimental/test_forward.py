import numpy as np
import pytest

import feedline as tf
from feedline.data import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset, experimental
from feedline.errors import BuildTypeError

RANGE = Dataset.range(10)


def test_at_gives_an_element_by_its_index():
    assert experimental.at(RANGE.batch(3), 3).tolist() == [9]
    assert experimental.at(RANGE, np.int64(4)) == 4


@pytest.mark.parametrize("index", [10, -1])
def test_at_refuses_an_index_out_of_range(index):
    with pytest.raises(IndexError, match=f"{index}"):
        experimental.at(RANGE, index)


def test_at_needs_random_access():
    with pytest.raises(TypeError, match="cannot be read by index"):
        experimental.at(RANGE.filter(lambda x: True), 1)


def test_cardinality_is_that_of_the_dataset():
    assert experimental.cardinality(RANGE) == 10
    assert experimental.cardinality(RANGE.repeat()) == INFINITE_CARDINALITY
    assert experimental.cardinality(RANGE.filter(lambda x: True)) == UNKNOWN_CARDINALITY


def test_get_structure_is_the_element_spec():
    spec = tf.TensorSpec((), tf.int64)

    assert experimental.get_structure(RANGE) == spec
    assert experimental.get_structure(iter(RANGE)) == spec


def test_dense_to_ragged_batch_is_ragged_batch():
    ds = Dataset.range(4).map(lambda n: np.arange(n))
    make = experimental.dense_to_ragged_batch(2, drop_remainder=True, row_splits_dtype=np.int32)
    found = list(ds.apply(make))

    assert [batch.to_list() for batch in found] == [[[], [0]], [[0, 1], [0, 1, 2]]]
    assert found[0].row_splits.dtype == np.int32


def test_from_list_gives_the_elements_of_a_list():
    ds = experimental.from_list([{"a": 1}, {"a": 2}], name="mine")

    assert list(ds) == [{"a": 1}, {"a": 2}]
    assert ds.node.name == "mine"


def test_what_is_no_dataset_is_refused():
    with pytest.raises(
        BuildTypeError, match=r"at\(\): dataset must be a Dataset, got 3 of type int"
    ):
        experimental.at(3, 0)
    with pytest.raises(BuildTypeError, match=r"cardinality\(\): dataset must be a Dataset"):
        experimental.cardinality([1])
    with pytest.raises(BuildTypeError, match="must be a Dataset or Iterator, got 3 of type int"):
        experimental.get_structure(3)
