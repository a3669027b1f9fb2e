"""jpeg_grain: JPEGs with Grain: a source with random access, map, threads that read ahead, batch.

By Pillow, as in its tutorials; with ``opencv`` as mode by simplejpeg and OpenCV, and as many
threads as there are processors, which is faster.
"""

from __future__ import annotations

import io
import random
from time import perf_counter
from typing import Any

import grain
import jpeg_files as j
import jpeg_operations
import numpy as np
from PIL import Image
from serving import Pass, serve

_SIZE = (j.SIZE, j.SIZE)


def _decode_resize(jpeg: bytes) -> Any:
    image = Image.open(io.BytesIO(jpeg)).convert("RGB")
    return np.asarray(image.resize(_SIZE, Image.Resampling.BILINEAR), np.float32)


def _crop_flip(jpeg: bytes, rng: np.random.Generator) -> Any:
    image = Image.open(io.BytesIO(jpeg)).convert("RGB")
    draws = random.Random(int(rng.integers(1 << 30)))
    top, left, tall, wide = j.random_box(image.height, image.width, draws)
    box = (left, top, left + wide, top + tall)
    made = image.resize(_SIZE, Image.Resampling.BILINEAR, box=box)
    if draws.random() < 0.5:
        made = made.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return np.asarray(made, np.float32)


def _crop_flip_opencv(jpeg: bytes, rng: np.random.Generator) -> Any:
    return jpeg_operations.crop_flip(jpeg, random.Random(int(rng.integers(1 << 30))))


def _pass_of(prepare: Any, is_random: bool, mode: str) -> Pass:
    source = grain.MapDataset.source(j.Records())
    ds = source.seed(1).random_map(prepare) if is_random else source.map(prepare)
    threads = grain.ReadOptions(num_threads=j.cpus(), prefetch_buffer_size=4 * j.BATCH)
    read = threads if mode == "opencv" else grain.ReadOptions()
    batches = ds.to_iter_dataset(read).batch(j.BATCH)

    def run() -> tuple[int, float]:
        started = perf_counter()
        count = sum(len(images) for images in batches)
        return count, perf_counter() - started

    return run


if __name__ == "__main__":
    serve(
        {
            "decode_resize": lambda mode: _pass_of(
                jpeg_operations.decode_resize if mode == "opencv" else _decode_resize, False, mode
            ),
            "crop_flip": lambda mode: _pass_of(
                _crop_flip_opencv if mode == "opencv" else _crop_flip, True, mode
            ),
        },
        "grain",
    )
