"""A dataset written to one file: what the recorded cases in tests/golden do not say."""

import pytest

import feedline as tf
from feedline.data.experimental import TFRecordWriter
from feedline.errors import BuildTypeError


def test_files_are_written_while_a_dataset_is_grouped(tmp_path):
    def write(key, window):
        path = f"{tmp_path}/{int(key)}.tfrecord"
        TFRecordWriter(path).write(window.map(lambda number, record: record))
        return tf.data.Dataset.from_tensors(path)

    ds = tf.data.Dataset.from_tensor_slices([b"a", b"b", b"c"]).enumerate()
    group = tf.data.experimental.group_by_window(lambda i, _: i % 2, write, tf.int64.max)
    paths = sorted(ds.apply(group))

    assert [list(tf.data.TFRecordDataset(path)) for path in paths] == [[b"a", b"c"], [b"b"]]


def test_what_is_no_dataset_of_strings_is_refused(tmp_path):
    with pytest.raises(BuildTypeError, match=r"serialize_tensor\) before"):
        TFRecordWriter(tmp_path / "x").write(tf.data.Dataset.range(3))
    with pytest.raises(BuildTypeError, match="must be a Dataset"):
        TFRecordWriter(tmp_path / "x").write([b"a"])


def test_a_kind_of_compression_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ValueError, match="BROTLI"):
        TFRecordWriter(tmp_path / "x", "BROTLI")
