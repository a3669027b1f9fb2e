"""Datasets with the methods of TensorFlow 1: what the recorded cases in tests/golden do not say."""

import pickle

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildTypeError, OutOfRangeError
from feedline.testing import CHECKS

data = tf.compat.v1.data


@pytest.mark.parametrize("check", CHECKS)
def test_conforms(check):
    check(data.Dataset.range(9).shuffle(4, seed=1).batch(2))


def test_every_step_keeps_the_old_methods():
    ds = data.Dataset.zip((data.Dataset.range(3), data.Dataset.range(3))).batch(2).prefetch(1)

    assert type(ds) is data.Dataset
    assert type(pickle.loads(pickle.dumps(ds))) is data.Dataset


def test_an_iterator_is_at_its_end_after_the_last_element():
    iterator = data.Dataset.range(1).make_one_shot_iterator()
    iterator.get_next()

    with pytest.raises(OutOfRangeError):
        iterator.get_next()


def test_the_classes_of_leaves_are_known():
    ds = tf.data.Dataset.range(4).map(lambda n: tf.range(n))

    assert data.get_output_classes(ds.ragged_batch(2)) is tf.RaggedTensor
    assert data.get_output_classes(ds.sparse_batch(2, [4])) is tf.SparseTensor
    assert data.get_output_classes(tf.data.Dataset.range(3).window(2)) is tf.data.Dataset


def test_records_are_read(tmp_path):
    with tf.io.TFRecordWriter(tmp_path / "x") as writer:
        writer.write(b"one")
    ds = data.TFRecordDataset(str(tmp_path / "x"))
    (tmp_path / "y").write_bytes(b"abcd")

    assert [bytes(ds.make_one_shot_iterator().get_next())] == [b"one"]
    assert ds.repeat(2).output_types == tf.string
    assert list(data.FixedLengthRecordDataset(str(tmp_path / "y"), 2).take(1)) == [b"ab"]


def test_what_cannot_be_says_so():
    with pytest.raises(RuntimeError, match="Use a for loop over the dataset"):
        data.Dataset.range(3).make_initializable_iterator()
    with pytest.raises(BuildTypeError, match="dataset must be a Dataset, got 3"):
        data.make_one_shot_iterator(3)
    assert data.get_output_shapes(tf.data.Dataset.from_tensors(np.zeros((2, 3)))) == [2, 3]
