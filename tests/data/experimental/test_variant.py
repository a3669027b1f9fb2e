import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.data.experimental import from_variant, to_variant
from feedline.errors import BuildTypeError, SpecError


def test_a_dataset_comes_back_from_its_handle():
    ds = Dataset.range(3)

    assert from_variant(to_variant(ds), ds.element_spec) is ds
    assert from_variant(to_variant(ds.batch(2)), tf.TensorSpec([None], tf.int64)).cardinality() == 2


def test_another_structure_is_refused():
    with pytest.raises(SpecError, match=r"has elements of .*int64.*, not .*float32"):
        from_variant(to_variant(Dataset.range(3)), tf.TensorSpec(()))


def test_what_is_no_dataset_and_no_handle_is_refused():
    with pytest.raises(BuildTypeError, match="dataset must be a Dataset, got 3"):
        to_variant(3)
    with pytest.raises(BuildTypeError, match=r"must be what to_variant\(\) returned"):
        from_variant(Dataset.range(3), tf.TensorSpec((), tf.int64))
