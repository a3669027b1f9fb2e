"""jpeg_tf_data: JPEGs with tf.data, as its guides to performance have it.

Files are read in parallel, everything is done in one parallel map, batches are prefetched.
Random parts are decoded by decode_and_crop_jpeg, which leaves the rest of the image alone.
With ``hand-set`` as mode the map has as many threads as there are processors; otherwise
AUTOTUNE decides.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import jpeg_files as j
import tensorflow as tf
from serving import Pass, serve

_FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def _decode_resize(record: Any) -> Any:
    example = tf.io.parse_single_example(record, _FEATURES)
    image = tf.io.decode_jpeg(example["image"], channels=3)
    return tf.image.resize(image, (j.SIZE, j.SIZE)), example["label"]


def _crop_flip(record: Any) -> Any:
    example = tf.io.parse_single_example(record, _FEATURES)
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        tf.io.extract_jpeg_shape(example["image"]),
        tf.zeros([1, 0, 4]),
        min_object_covered=0.0,
        aspect_ratio_range=(3 / 4, 4 / 3),
        area_range=(0.08, 1.0),
        max_attempts=10,
        use_image_if_no_bounding_boxes=True,
    )
    window = tf.concat([begin[:2], size[:2]], 0)
    image = tf.io.decode_and_crop_jpeg(example["image"], window, channels=3)
    image = tf.image.resize(image, (j.SIZE, j.SIZE))
    return tf.image.random_flip_left_right(image), example["label"]


def _pass_of(prepare: Any, mode: str) -> Pass:
    width = j.cpus() if mode == "hand-set" else tf.data.AUTOTUNE
    ds = tf.data.TFRecordDataset(j.shard_files(), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(prepare, num_parallel_calls=width).batch(j.BATCH).prefetch(tf.data.AUTOTUNE)

    def run() -> tuple[int, float]:
        started = perf_counter()
        iterator = ds.as_numpy_iterator()
        count = sum(len(images) for images, _ in iterator)
        return count, perf_counter() - started

    return run


if __name__ == "__main__":
    serve(
        {
            "decode_resize": lambda mode: _pass_of(_decode_resize, mode),
            "crop_flip": lambda mode: _pass_of(_crop_flip, mode),
        },
        "tensorflow",
    )
