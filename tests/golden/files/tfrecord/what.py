"""what: the records of the golden files, and the ways they are written by both libraries."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def _noise(seed: int, size: int) -> bytes:
    """Bytes that do not compress, the same in every run."""
    parts = [hashlib.sha256(b"%d %d" % (seed, i)).digest() for i in range(size // 32 + 1)]
    return b"".join(parts)[:size]


RECORDS = [
    b"",
    b"a",
    "ein wörtchen".encode(),
    bytes(range(256)),
    b"the same again and again " * 40,
    _noise(1, 400),
    b"",
    _noise(2, 3000),
    b"\x00" * 100,
]

# What TFRecordOptions are made of, by name of the file.
WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "gzip": {"compression_type": "GZIP"},
    "zlib": {"compression_type": "ZLIB"},
    "gzip_best": {"compression_type": "GZIP", "compression_level": 9, "mem_level": 1},
    "gzip_none": {"compression_type": "GZIP", "compression_level": 0},
    "zlib_small_window": {"compression_type": "ZLIB", "window_bits": 9},
    "zlib_huffman": {"compression_type": "ZLIB", "compression_strategy": zlib.Z_HUFFMAN_ONLY},
    "zlib_flushed": {
        "compression_type": "ZLIB",
        "flush_mode": zlib.Z_FULL_FLUSH,
        "input_buffer_size": 100,
        "output_buffer_size": 200,
    },
}


def write_all(tf: Any, folder: Path, prefix: str) -> None:
    """Write every file with ``tf``: TensorFlow, or Feedline."""
    for name, settings in WAYS.items():
        options = tf.io.TFRecordOptions(**settings)
        with tf.io.TFRecordWriter(str(folder / f"{prefix}_{name}.tfrecord"), options) as writer:
            for record in RECORDS:
                writer.write(record)
    for number, length in enumerate([3, 0, 5, 1, 2, 4, 6]):
        with tf.io.TFRecordWriter(str(folder / f"{prefix}_turn_{number}.tfrecord")) as writer:
            for i in range(length):
                writer.write(b"%d.%d" % (number, i))


def kind_of(name: str) -> str:
    """Return the compression that a file of this name has."""
    way = name.removesuffix(".tfrecord").split("_", 1)[1]
    return str(WAYS.get(way, {}).get("compression_type", ""))


def digests(records: list[bytes]) -> list[str]:
    """Return records in short."""
    return [f"{len(record)} {hashlib.sha256(record).hexdigest()[:16]}" for record in records]
