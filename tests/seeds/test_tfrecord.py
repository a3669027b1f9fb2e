"""Code about records from the documents this project began with, as it was written."""

import os

import numpy as np
import pytest

import feedline as tf


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write_raw_images(data_dir, files, each):
    """Records whose image is the bytes of an array, as the reader below expects."""
    os.makedirs(data_dir)
    for i in range(files):
        with tf.io.TFRecordWriter(os.path.join(data_dir, f"data_{i}.tfrecord")) as writer:
            for j in range(each):
                image = np.full(4, j, np.uint8)
                feature = {
                    "image": tf.train.Feature(
                        bytes_list=tf.train.BytesList(value=[image.tobytes()])
                    ),
                    "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i * each + j])),
                }
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(example.SerializeToString())


def test_records_of_many_files_are_interleaved_parsed_shuffled_and_batched():
    data_dir = "records"
    write_raw_images(data_dir, files=4, each=25)

    def parse_function(example_proto):
        feature_description = {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        }
        example = tf.io.parse_single_example(example_proto, feature_description)
        image = tf.io.decode_raw(example["image"], tf.uint8)
        label = example["label"]
        return image, label

    files = tf.data.Dataset.list_files(os.path.join(data_dir, "*.tfrecord"))
    dataset = files.interleave(
        lambda file_path: tf.data.TFRecordDataset(file_path), cycle_length=10
    )
    dataset = dataset.map(parse_function, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.shuffle(buffer_size=10000).batch(32).prefetch(tf.data.AUTOTUNE)

    batches = list(dataset)
    assert [len(labels) for _, labels in batches] == [32, 32, 32, 4]
    assert sorted(np.concatenate([labels for _, labels in batches]).tolist()) == list(range(100))
    assert all((images == labels[:, None] % 25).all() for images, labels in batches)


def test_what_a_dataset_yields_is_written_and_read_with_parallel_reads():
    os.makedirs("data")
    for name in "ab":
        with open(f"{name}.jpg", "wb") as file:
            file.write(name.encode() * 3)
    dataset = tf.data.Dataset.from_tensor_slices((["a.jpg", "b.jpg"], [0, 1]))

    def serialize_example(image_bytes, label):
        feature = {
            "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image_bytes])),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
        }
        example = tf.train.Example(features=tf.train.Features(feature=feature))
        return example.SerializeToString()

    options = tf.io.TFRecordOptions(compression_type="GZIP")
    with tf.io.TFRecordWriter("data/train-0.tfrecord", options) as writer:
        for image_path, label in dataset:
            image_bytes = tf.io.read_file(image_path).numpy()
            writer.write(serialize_example(image_bytes, label))

    def parse_example(serialized):
        features = tf.io.parse_single_example(
            serialized,
            {
                "image": tf.io.FixedLenFeature([], tf.string),
                "label": tf.io.FixedLenFeature([], tf.int64),
            },
        )
        return features["image"], features["label"]

    files = tf.data.Dataset.list_files("data/train-*.tfrecord")
    dataset = files.interleave(
        lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
        cycle_length=8,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False,
    )
    dataset = dataset.map(parse_example, num_parallel_calls=tf.data.AUTOTUNE)

    assert [(image, int(label)) for image, label in dataset] == [(b"aaa", 0), (b"bbb", 1)]


def test_shards_are_parsed_by_a_lambda_cached_shuffled_and_batched():
    write_raw_images("shards", files=2, each=10)
    shard_paths = ["shards/data_0.tfrecord", "shards/data_1.tfrecord"]
    features = {"label": tf.io.FixedLenFeature([], tf.int64)}

    dataset = tf.data.TFRecordDataset(shard_paths)
    dataset = dataset.map(
        lambda x: tf.io.parse_single_example(x, features), num_parallel_calls=tf.data.AUTOTUNE
    )
    dataset = dataset.cache()
    dataset = dataset.shuffle(buffer_size=10000)
    dataset = dataset.batch(32)
    dataset = dataset.prefetch(tf.data.AUTOTUNE)

    for _ in range(2):
        (batch,) = dataset
        assert sorted(batch["label"].tolist()) == list(range(20))
