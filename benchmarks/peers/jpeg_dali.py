"""jpeg_dali: JPEGs with DALI on processors alone: reader, decoder, resize, flip.

Random parts are decoded by image_random_crop, which leaves the rest of the image alone. A pass
begins and ends with nothing in the pipeline, so that no batch is ready before the clock runs.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import jpeg_files as j
import nvidia.dali.tfrecord as tfrec
from nvidia.dali import fn, pipeline_def, types
from serving import Pass, serve

_AHEAD = 2


@pipeline_def
def _pipeline(is_random: bool) -> Any:
    inputs = fn.readers.tfrecord(
        path=j.shard_files(),
        index_path=j.index_files(),
        features={
            "image": tfrec.FixedLenFeature((), tfrec.string, ""),
            "label": tfrec.FixedLenFeature([1], tfrec.int64, 0),
        },
        name="reader",
    )
    to_size: dict[str, Any] = {
        "resize_x": j.SIZE,
        "resize_y": j.SIZE,
        "interp_type": types.INTERP_LINEAR,
        "antialias": False,
        "dtype": types.FLOAT,
    }
    if not is_random:
        images = fn.decoders.image(inputs["image"], device="cpu", output_type=types.RGB)
        return fn.resize(images, **to_size), inputs["label"]
    images = fn.decoders.image_random_crop(
        inputs["image"],
        device="cpu",
        output_type=types.RGB,
        random_area=[0.08, 1.0],
        random_aspect_ratio=[3 / 4, 4 / 3],
        num_attempts=10,
    )
    images = fn.resize(images, **to_size)
    return fn.flip(images, horizontal=fn.random.coin_flip()), inputs["label"]


def _pass_of(is_random: bool) -> Pass:
    pipeline = _pipeline(
        is_random,
        batch_size=j.BATCH,
        num_threads=j.cpus(),
        device_id=None,
        prefetch_queue_depth=_AHEAD,
    )
    pipeline.build()
    batches = pipeline.epoch_size("reader") // j.BATCH

    def run() -> tuple[int, float]:
        started = perf_counter()
        for _ in range(_AHEAD):
            pipeline.schedule_run()
        count = 0
        for number in range(batches):
            images, _ = pipeline.share_outputs()
            count += len(images)
            pipeline.release_outputs()
            if number + _AHEAD < batches:
                pipeline.schedule_run()
        return count, perf_counter() - started

    return run


if __name__ == "__main__":
    serve(
        {
            "decode_resize": lambda _mode: _pass_of(False),
            "crop_flip": lambda _mode: _pass_of(True),
        },
        "nvidia-dali-cuda120",
    )
