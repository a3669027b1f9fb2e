"""Code about pipelines from the documents this project began with, on less data."""

import time

import numpy as np
import pytest

import feedline as tf


def test_arrays_are_shuffled_and_batched(capsys):
    data = np.array(np.random.rand(100, 5), dtype=np.float32)
    labels = np.array(np.random.randint(0, 2, 100), dtype=np.int32)

    dataset = tf.data.Dataset.from_tensor_slices((data, labels))
    dataset = dataset.shuffle(buffer_size=100)
    dataset = dataset.batch(batch_size=32)
    for features, batch_labels in dataset:
        print(f"Batch features shape: {features.shape}")  # noqa: T201
        print(f"Batch labels shape: {batch_labels.shape}")  # noqa: T201
        break

    said = capsys.readouterr().out
    assert said == "Batch features shape: (32, 5)\nBatch labels shape: (32,)\n"


def test_ranges_as_constants():
    features = tf.constant(range(1000))
    labels = tf.constant(range(1000, 2000))

    dataset = tf.data.Dataset.from_tensor_slices((features, labels))
    dataset = dataset.batch(32)
    dataset = dataset.prefetch(tf.data.AUTOTUNE)

    for _ in range(2):
        sizes = [len(features_batch) for features_batch, labels_batch in dataset]
        assert sizes == [32] * 31 + [8]
    assert next(iter(dataset))[1].numpy().tolist() == list(range(1000, 1032))


def test_images_are_flipped_before_they_are_shuffled():
    x_train = np.random.default_rng(0).integers(0, 256, (40, 28, 28, 1), np.uint8) / 255.0
    y_train = np.arange(40, dtype=np.uint8)

    dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    dataset = dataset.map(lambda x, y: (tf.image.random_flip_left_right(x), y))
    dataset = dataset.shuffle(buffer_size=10000).batch(32)

    for images, labels in dataset:
        for image, label in zip(images.numpy(), labels.numpy(), strict=True):
            whole = x_train[label]
            assert (image == whole).all() or (image == whole[:, ::-1]).all()


def test_windows_of_a_time_series():
    def make_windows(dataset, window_size, shift, stride=1):
        windows = dataset.window(window_size, shift=shift, stride=stride)
        return windows.flat_map(lambda w: w.batch(window_size, drop_remainder=True))

    time_series_data = np.arange(100, dtype=np.float32)
    ts_dataset = tf.data.Dataset.from_tensor_slices(time_series_data)
    windowed = make_windows(ts_dataset, window_size=30, shift=1)
    windowed = windowed.map(lambda w: (w[:-1], w[-1]))
    windowed = windowed.batch(32).prefetch(tf.data.AUTOTUNE)

    features, target = next(iter(windowed))
    assert features.shape == (32, 29)
    assert (target.numpy() == np.arange(29, 61)).all()
    assert sum(len(target) for _, target in windowed) == 71


def test_the_rare_class_is_sampled_as_often_as_the_other():
    y = (np.arange(400) % 20 == 0).astype(np.int64)
    full_dataset = tf.data.Dataset.from_tensor_slices((np.arange(400), y))

    pos_ds = full_dataset.filter(lambda x, y: y == 1).repeat()
    neg_ds = full_dataset.filter(lambda x, y: y == 0)
    balanced_ds = tf.data.Dataset.sample_from_datasets([pos_ds, neg_ds], weights=[0.5, 0.5])
    balanced_ds = balanced_ds.batch(64).prefetch(tf.data.AUTOTUNE)

    drawn = np.concatenate([labels.numpy() for _, labels in balanced_ds.take(5)])
    assert 100 < drawn.sum() < 220


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, max_delta=0.2)
    image = tf.image.random_contrast(image, lower=0.8, upper=1.2)
    image = tf.image.random_crop(tf.image.resize_with_crop_or_pad(image, 32, 32), size=[24, 24, 3])
    return image, label


def benchmark(dataset, num_epochs=2):
    start = time.perf_counter()
    for _epoch in range(num_epochs):
        for _batch in dataset:
            pass
    duration = time.perf_counter() - start
    return f"{num_epochs} epochs: {duration:.2f}s"


@pytest.mark.parametrize("kept", [True, False], ids=["cached", "computed again"])
def test_an_augmented_pipeline_is_measured(kept):
    images = np.random.default_rng(0).random((8, 30, 34, 3), dtype=np.float32)
    raw_dataset = tf.data.Dataset.from_tensor_slices((images, np.arange(8)))
    raw_dataset = raw_dataset.cache() if kept else raw_dataset
    train_ds = (
        raw_dataset.shuffle(10000)
        .map(augment, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(64)
        .prefetch(tf.data.AUTOTUNE)
    )

    assert benchmark(train_ds).startswith("2 epochs: ")
    assert [images.shape for images, _ in train_ds] == [(8, 24, 24, 3)]
