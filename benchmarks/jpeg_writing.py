"""jpeg_writing: makes the JPEGs of the benchmarks, in TFRecord files.

Encodes with simplejpeg, or with Pillow where that is missing.
"""

from __future__ import annotations

import io
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jpeg_files as j

import feedline as tf

__all__ = ["encoded", "has_encoder", "write"]

_QUALITY = 90


def has_encoder() -> bool:
    """Whether there is something that writes JPEGs."""
    return any(find_spec(name) is not None for name in ("simplejpeg", "PIL"))


def encoded(picture: Any) -> bytes:
    """Return a picture as JPEG of quality 90, colours at half the resolution."""
    if find_spec("simplejpeg") is not None:
        module = import_module("simplejpeg")
        return bytes(module.encode_jpeg(picture, quality=_QUALITY, colorsubsampling="420"))
    file = io.BytesIO()
    import_module("PIL.Image").fromarray(picture).save(file, "jpeg", quality=_QUALITY)
    return file.getvalue()


def write(folder: Path, count: int = 1024, shards: int = 8) -> list[bytes]:
    """Write ``count`` JPEGs into TFRecord files and their indices; return the JPEGs."""
    jpegs = [encoded(j.photo(number)) for number in range(count)]
    feature, features = tf.train.Feature, tf.train.Features
    in_order = []
    for shard in range(shards):
        path = folder / f"{shard:02}-of-{shards:02}.tfrecord"
        index, at = [], 0
        with tf.io.TFRecordWriter(str(path)) as writer:
            for number in range(shard, count, shards):
                image = tf.train.BytesList(value=[jpegs[number]])
                label = tf.train.Int64List(value=[number % 1000])
                fields = {"image": feature(bytes_list=image), "label": feature(int64_list=label)}
                record = tf.train.Example(features=features(feature=fields)).SerializeToString()
                writer.write(record)
                index.append(f"{at} {len(record) + 16}\n")
                at += len(record) + 16
                in_order.append(jpegs[number])
        Path(f"{path}.idx").write_text("".join(index))
    return in_order
