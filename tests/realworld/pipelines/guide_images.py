"""Folders of pictures, as TensorFlow's guides read them: labels from paths, splits, performance."""

import os
import pathlib

import numpy as np

from tests.realworld.inputs import write_pictures
from tests.realworld.library import tf
from tests.realworld.pipeline import drawn

AUTOTUNE = tf.data.AUTOTUNE
IMG_HEIGHT, IMG_WIDTH = 6, 6
BATCH = 4
CLASSES = ["daisy", "rose", "tulip"]


def pipeline_labels_from_paths():
    write_pictures("flowers", CLASSES, each=4)
    data_dir = pathlib.Path("flowers")
    total = len(list(data_dir.glob("*/*.png")))
    class_names = np.array(sorted(item.name for item in data_dir.glob("*") if item.is_dir()))

    files = tf.data.Dataset.list_files(str(data_dir / "*/*"), shuffle=False)
    files = files.shuffle(total, seed=7, reshuffle_each_iteration=False)
    held_out = int(total * 0.25)
    train, val = files.skip(held_out), files.take(held_out)

    def get_label(path):
        parts = tf.strings.split(path, os.path.sep)
        one_hot = parts[-2] == class_names
        return tf.argmax(one_hot)

    def decode(content):
        image = tf.io.decode_png(content, channels=3)
        return tf.image.resize(image, [IMG_HEIGHT, IMG_WIDTH])

    def process(path):
        label = get_label(path)
        return decode(tf.io.read_file(path)), label

    train = train.map(process, num_parallel_calls=AUTOTUNE)
    val = val.map(process, num_parallel_calls=AUTOTUNE)
    shown = []
    for image, label in train.take(2):
        shown.append(f"Image shape: {image.numpy().shape}, label: {label.numpy()}")

    def for_speed(ds):
        return ds.cache().batch(BATCH).prefetch(buffer_size=AUTOTUNE)

    sizes = [tf.data.experimental.cardinality(train).numpy(), val.cardinality().numpy()]
    return {"shown": shown, "sizes": sizes, "train": for_speed(train), "val": for_speed(val)}


def pipeline_augmented_without_seed():
    paths = write_pictures("pets", ["cat", "dog"], each=3)
    labels = [int("dog" in path) for path in paths]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))

    def load(path, label):
        image = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.convert_image_dtype(image, tf.float32)
        return tf.image.resize(image, (8, 8)), label

    def augment(image, label):
        image = tf.image.random_flip_left_right(image)
        image = tf.image.random_brightness(image, max_delta=0.1)
        image = tf.image.random_crop(image, size=[6, 6, 3])
        return tf.clip_by_value(image, 0.0, 1.0), label

    ds = ds.shuffle(len(paths)).map(load, AUTOTUNE).map(augment, AUTOTUNE).batch(4)
    return drawn(ds)
