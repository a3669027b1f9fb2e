"""Code about images from the documents this project began with.

As it was written, but for fewer and smaller images.
"""

import os

import numpy as np
import pytest

import feedline as tf


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_images_of_a_folder_are_loaded_resized_shuffled_and_batched():
    image_dir = "image_data"
    if not os.path.exists(image_dir):
        os.makedirs(image_dir)
        for i in range(10):
            img = tf.random.normal(shape=(64, 48, 3), dtype=tf.float32)
            img = tf.image.convert_image_dtype(img, dtype=tf.uint8)
            img = tf.image.encode_jpeg(img)
            tf.io.write_file(os.path.join(image_dir, f"image_{i}.jpg"), img)

    image_paths = [
        os.path.join(image_dir, f) for f in os.listdir(image_dir) if f.lower().endswith(".jpg")
    ]
    labels = [1 if int(f.split("_")[-1].split(".")[0]) % 2 == 0 else 0 for f in image_paths]

    def load_and_preprocess_image(image_path, label):
        image = tf.io.read_file(image_path)
        image = tf.image.decode_jpeg(image, channels=3)
        image = tf.image.resize(image, [128, 128])
        image = tf.cast(image, tf.float32) / 255.0
        return image, label

    dataset = tf.data.Dataset.from_tensor_slices((image_paths, labels))
    dataset = dataset.map(load_and_preprocess_image, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.shuffle(buffer_size=100)
    dataset = dataset.batch(batch_size=4)
    dataset = dataset.prefetch(buffer_size=tf.data.AUTOTUNE)

    batches = list(dataset)
    assert [images.shape for images, _ in batches] == [(n, 128, 128, 3) for n in (4, 4, 2)]
    assert sum(int(labels.sum()) for _, labels in batches) == 5
    assert all(images.min() >= 0 and 0.5 < images.max() <= 1 for images, _ in batches)


def test_images_in_records_are_decoded_and_resized():
    data_dir = "tfrecord_data"
    os.makedirs(data_dir)

    def _bytes_feature(value):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))

    def serialize_example(feature0, feature1):
        feature = {
            "image": _bytes_feature(feature0),
            "label": _bytes_feature(feature1),
        }
        example_proto = tf.train.Example(features=tf.train.Features(feature=feature))
        return example_proto.SerializeToString()

    for i in range(2):
        with tf.io.TFRecordWriter(os.path.join(data_dir, f"data_{i}.tfrecord")) as writer:
            for j in range(10):
                img = tf.random.normal(shape=(64, 64, 3), dtype=tf.float32)
                img = tf.image.convert_image_dtype(img, dtype=tf.uint8)
                img = tf.image.encode_jpeg(img)
                label = str(j % 2).encode("utf-8")
                example_serialized = serialize_example(img.numpy(), label)
                writer.write(example_serialized)

    tfrecord_files = [
        os.path.join(data_dir, f) for f in os.listdir(data_dir) if f.lower().endswith(".tfrecord")
    ]
    feature_description = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.string),
    }

    def _parse_function(example_proto):
        parsed = tf.io.parse_single_example(example_proto, feature_description)
        image = tf.io.decode_jpeg(parsed["image"], channels=3)
        image = tf.image.resize(image, [128, 128])
        image = tf.cast(image, tf.float32) / 255.0
        label = tf.strings.to_number(parsed["label"], tf.int32)
        return image, label

    dataset = tf.data.TFRecordDataset(tfrecord_files)
    dataset = dataset.map(_parse_function, num_parallel_calls=tf.data.AUTOTUNE)
    assert "vectorised" in dataset.explain()
    dataset = dataset.shuffle(buffer_size=100)
    dataset = dataset.batch(batch_size=8)
    dataset = dataset.prefetch(buffer_size=tf.data.AUTOTUNE)

    batches = list(dataset)
    assert [images.shape for images, _ in batches] == [(n, 128, 128, 3) for n in (8, 8, 4)]
    assert sorted(np.concatenate([labels for _, labels in batches])) == [0] * 10 + [1] * 10


def test_images_are_augmented_anew_in_every_epoch():
    images = np.random.default_rng(0).random((6, 240, 250, 3)).astype(np.float32)
    raw_dataset = tf.data.Dataset.from_tensor_slices((images, np.arange(6)))

    def augment(image, label):
        image = tf.image.random_flip_left_right(image)
        image = tf.image.random_brightness(image, max_delta=0.2)
        image = tf.image.random_contrast(image, lower=0.8, upper=1.2)
        image = tf.image.random_crop(
            tf.image.resize_with_crop_or_pad(image, 256, 256), size=[224, 224, 3]
        )
        return image, label

    train_ds = (
        raw_dataset.shuffle(10000)
        .map(augment, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(4)
        .prefetch(tf.data.AUTOTUNE)
    )

    first, second = list(train_ds), list(train_ds)
    assert [batch.shape for batch, _ in first] == [(4, 224, 224, 3), (2, 224, 224, 3)]
    assert not np.array_equal(first[0][0], second[0][0])
