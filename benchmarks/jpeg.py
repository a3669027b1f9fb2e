"""Claim: JPEGs come out of a pipeline at 95 % of the speed of their decoder, 1.4 times any other.

1,024 JPEGs of about 500 x 375 pixels in 8 TFRecord files, decoded, resized to 224 x 224 float32
and batched by 64; and the same with random parts that are mirrored one of two times. Beside
it a bare thread pool, with the same decoder and the same kernel, that has the JPEGs in memory
and knows the random parts: the limit. A pass is one epoch; peers are in the same rounds.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jpeg_files as j
import jpeg_writing
import numpy as np
import simplejpeg
from against_peers import BenchmarkWithPeers, settings
from measure import say

import feedline as tf
from feedline.kernels.jpeg import decode_jpeg
from feedline.kernels.resample import resample

_FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}
# How many images a task of the bare pool has, and how many batches may be under way.
_TASK, _AHEAD = 8, 3


def decode_resize(record: Any) -> Any:
    """Return the image of a record as 224 x 224 float32, and its label."""
    example = tf.io.parse_single_example(record, _FEATURES)
    image = tf.io.decode_jpeg(example["image"], channels=3)
    return tf.image.resize(image, (j.SIZE, j.SIZE)), example["label"]


def crop_flip(record: Any) -> Any:
    """Return a random part of the image of a record, perhaps mirrored, and its label."""
    example = tf.io.parse_single_example(record, _FEATURES)
    image = tf.io.decode_jpeg(example["image"], channels=3)
    image = tf.image.random_resized_crop(image, (j.SIZE, j.SIZE))
    return tf.image.random_flip_left_right(image), example["label"]


def bare_pool(jpegs: list[bytes], is_random: bool) -> Callable[[], int]:
    """Return a pass of a thread pool with the same decoder and kernel, and nothing else."""
    draws = random.Random(1)
    boxes, flips = None, None
    if is_random:
        sizes = [simplejpeg.decode_jpeg_header(jpeg)[:2] for jpeg in jpegs]
        boxes = np.array([j.random_box(*size, draws) for size in sizes], np.int64)
        flips = np.array([draws.randrange(2) for _ in jpegs], np.uint8)

    def fill(made: Any, first: int) -> None:
        for at in range(len(made)):
            row = slice(first + at, first + at + 1)
            height, width, _, _ = simplejpeg.decode_jpeg_header(jpegs[first + at])
            image = np.empty((height, width, 3), np.uint8)
            if not decode_jpeg(jpegs[first + at], image):
                simplejpeg.decode_jpeg(jpegs[first + at], "RGB", fastdct=True, buffer=image)
            resample(
                image[None],
                made[at : at + 1],
                "bilinear",
                False,
                None if boxes is None else boxes[row],
                None if flips is None else flips[row],
            )

    def run() -> int:
        count = 0
        with ThreadPoolExecutor(j.cpus()) as pool:
            under_way: list[tuple[Any, list[Future[None]]]] = []
            for start in range(0, len(jpegs), j.BATCH):
                made = np.empty((min(j.BATCH, len(jpegs) - start), j.SIZE, j.SIZE, 3), np.float32)
                parts = range(0, len(made), _TASK)
                tasks = [pool.submit(fill, made[at : at + _TASK], start + at) for at in parts]
                under_way.append((made, tasks))
                if len(under_way) == _AHEAD:
                    count += _finished(*under_way.pop(0))
            count += sum(_finished(*batch) for batch in under_way)
        return count

    return run


def _finished(made: Any, tasks: list[Future[None]]) -> int:
    for task in tasks:
        task.result()
    return len(made)


def pipeline(prepare: Any, width: int) -> Any:
    """Return the pipeline, with a hand-set width or AUTOTUNE."""
    # One file after the other: what is read of it is read ahead anyway.
    ds = tf.data.TFRecordDataset(j.shard_files())
    return ds.map(prepare, num_parallel_calls=width).batch(j.BATCH).prefetch(tf.data.AUTOTUNE)


def _add_peers(bench: BenchmarkWithPeers, workload: str) -> None:
    bench.add_peer("tf.data", "tensorflow", "jpeg_tf_data.py", workload)
    bench.add_peer("tf.data, hand-set", "tensorflow", "jpeg_tf_data.py", workload, "hand-set")
    for label, package in (("torch DataLoader", "torch"), ("Grain", "grain"), ("SPDL", "spdl")):
        bench.add_peer(label, package, f"jpeg_{package}.py", workload)
        opencv = f"{label}, with simplejpeg and OpenCV"
        bench.add_peer(opencv, package, f"jpeg_{package}.py", workload, "opencv")
    bench.add_peer("DALI, no GPU", "dali", "jpeg_dali.py", workload)


def main() -> None:
    """Run both benchmarks."""
    given = settings(images=1024)
    with TemporaryDirectory() as folder:
        os.environ[j.FOLDER] = folder
        jpegs = jpeg_writing.write(Path(folder), given.images)
        say(f"{len(jpegs)} JPEGs of {sum(map(len, jpegs)) / len(jpegs) / 1e3:.1f} kB each")
        for name, prepare in (("decode_resize", decode_resize), ("crop_flip", crop_flip)):
            bench = BenchmarkWithPeers(
                f"jpeg_{name}",
                "at least 0.95 of a bare thread pool, and 1.4 times the best peer",
                "images",
                given.peers,
            )
            bare = bare_pool(jpegs, prepare is crop_flip)
            bench.add("bare thread pool: the decoder's limit", bare)
            tuned, fixed = pipeline(prepare, tf.data.AUTOTUNE), pipeline(prepare, j.cpus())
            bench.add("Feedline, AUTOTUNE", lambda ds=tuned: sum(len(x) for x, _ in ds))  # type: ignore[misc]
            bench.add("Feedline, hand-set", lambda ds=fixed: sum(len(x) for x, _ in ds))  # type: ignore[misc]
            _add_peers(bench, name)
            bench.run()
            say(str(tuned.explain(runtime=True)))


if __name__ == "__main__":
    main()
