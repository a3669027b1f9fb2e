"""jpeg_spdl: JPEGs with SPDL: batches of bytes go to threads that decode, crop and scale them.

By its own functions, which are FFmpeg's; with ``opencv`` as mode by simplejpeg and OpenCV.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import jpeg_files as j
import jpeg_operations
import numpy as np
import simplejpeg
import spdl.io
from serving import Pass, serve
from spdl.pipeline import PipelineBuilder


def _decode_resize(jpegs: Sequence[bytes]) -> Any:
    made = spdl.io.load_image_batch(jpegs, width=j.SIZE, height=j.SIZE, pix_fmt="rgb24")
    return spdl.io.to_numpy(made).astype(np.float32)


def _crop_flip(jpegs: Sequence[bytes]) -> Any:
    frames = []
    for jpeg in jpegs:
        height, width, *_ = simplejpeg.decode_jpeg_header(jpeg)
        top, left, tall, wide = j.random_box(height, width, random)  # type: ignore[arg-type]
        flip = ",hflip" if random.random() < 0.5 else ""
        desc = spdl.io.get_video_filter_desc(
            filter_desc=f"crop={wide}:{tall}:{left}:{top}:exact=1,scale={j.SIZE}:{j.SIZE}{flip}",
            pix_fmt="rgb24",
        )
        frames.append(spdl.io.decode_packets(spdl.io.demux_image(jpeg), filter_desc=desc))
    return spdl.io.to_numpy(spdl.io.convert_frames(frames)).astype(np.float32)


def _decode_resize_opencv(jpegs: Sequence[bytes]) -> Any:
    return np.stack([jpeg_operations.decode_resize(jpeg) for jpeg in jpegs])


def _crop_flip_opencv(jpegs: Sequence[bytes]) -> Any:
    draws: Any = random
    return np.stack([jpeg_operations.crop_flip(jpeg, draws) for jpeg in jpegs])


def _pass_of(prepare: Any) -> Pass:
    records = j.Records()

    def run() -> tuple[int, float]:
        started = perf_counter()
        pipeline = (
            PipelineBuilder()
            .add_source(records[number] for number in range(len(records)))
            .aggregate(j.BATCH)
            .pipe(prepare, concurrency=j.cpus(), output_order="input")
            .add_sink(2)
            .build(num_threads=j.cpus())
        )
        with pipeline.auto_stop():
            count = sum(len(images) for images in pipeline)
            return count, perf_counter() - started

    return run


if __name__ == "__main__":
    serve(
        {
            "decode_resize": lambda mode: _pass_of(
                _decode_resize_opencv if mode == "opencv" else _decode_resize
            ),
            "crop_flip": lambda mode: _pass_of(
                _crop_flip_opencv if mode == "opencv" else _crop_flip
            ),
        },
        "spdl_io",
        "spdl_core",
    )
