"""jpeg_files: where the JPEGs of the benchmarks lie, and how any peer gets at them.

Needs NumPy alone, so that every peer can read the same files with it. They are TFRecord files
of tf.train.Example with an ``image`` and a ``label``, each with an index beside it that holds
the place and length of every record, which some peers ask for.
"""

from __future__ import annotations

import math
import os
import random
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BATCH",
    "FOLDER",
    "SIZE",
    "Records",
    "cpus",
    "image_of",
    "index_files",
    "photo",
    "random_box",
    "shard_files",
]

# Where the benchmark that writes the records says they are.
FOLDER = "FEEDLINE_JPEG_FOLDER"
BATCH = 64
SIZE = 224


def cpus() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def shard_files() -> list[str]:
    """Return the files of records."""
    return sorted(map(str, Path(os.environ[FOLDER]).glob("*.tfrecord")))


def index_files() -> list[str]:
    """Return the indices of the files of records."""
    return [f"{path}.idx" for path in shard_files()]


class Records:
    """The JPEGs of all shards by number; can be sent to other processes."""

    def __init__(self) -> None:
        self._places: list[tuple[str, int, int]] = []
        for path, index in zip(shard_files(), index_files(), strict=True):
            lines = Path(index).read_text().splitlines()
            for line in lines:
                start, length = map(int, line.split())
                self._places.append((path, start, length))
        self._opened: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int) -> bytes:
        path, start, length = self._places[number]
        file = self._opened.get(path)
        if file is None:
            file = self._opened.setdefault(path, os.open(path, os.O_RDONLY))
        # 12 bytes before a record and 4 behind it: its length and two checksums.
        return image_of(os.pread(file, length - 16, start + 12))

    def __getstate__(self) -> dict[str, object]:
        return {"_places": self._places, "_opened": {}}


def image_of(record: bytes) -> bytes:
    """Return the image of a tf.train.Example: its first long field of bytes.

    What a parser of protocol buffers does, for these records alone: peers that bring none
    shall not be slow for that.
    """
    at = record.index(b"\xff\xd8\xff")
    # The image is the last field of its feature: its length stands before it.
    length, shift, before = 0, 0, at - 1
    while before > 0 and record[before - 1] & 0x80:
        before -= 1
    for byte in record[before:at]:
        length |= (byte & 0x7F) << shift
        shift += 7
    return record[at : at + length]


def random_box(height: int, width: int, draws: random.Random) -> tuple[int, int, int, int]:
    """Return top, left, height and width of a random part, as torchvision draws it."""
    low, high = math.log(3 / 4), math.log(4 / 3)
    for _ in range(10):
        area = height * width * draws.uniform(0.08, 1.0)
        ratio = math.exp(draws.uniform(low, high))
        wide, tall = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < wide <= width and 0 < tall <= height:
            return draws.randint(0, height - tall), draws.randint(0, width - wide), tall, wide
    return 0, 0, height, width


def photo(number: int) -> NDArray[np.uint8]:
    """Return a picture of about 500 x 375 that compresses as photos do.

    Smooth noise of several scales, shapes with hard edges, and some grain.
    """
    rng = np.random.default_rng(number)
    height, width = int(rng.integers(365, 386)), int(rng.integers(490, 511))
    made = np.full((height, width, 3), 128, np.float32)
    for cells, amount in ((6, 60), (24, 25), (90, 12)):
        coarse = rng.uniform(-amount, amount, (cells * 3 // 4, cells, 3)).astype(np.float32)
        rows, columns = _between(height, len(coarse)), _between(width, cells)
        for channel in range(3):
            made[..., channel] += rows @ coarse[..., channel] @ columns.T
    y, x = np.ogrid[:height, :width]
    for _ in range(8):
        top, left = rng.uniform(0, height), rng.uniform(0, width)
        tall, wide = rng.uniform(15, 90, 2)
        inside = ((y - top) / tall) ** 2 + ((x - left) / wide) ** 2 < 1
        made[inside] = 0.5 * made[inside] + rng.uniform(0, 128, 3)
    made += 5 * rng.standard_normal((height, width, 1), dtype=np.float32)
    return np.clip(made, 0, 255).astype(np.uint8)


def _between(size: int, cells: int) -> NDArray[np.float32]:
    """Return weights that spread ``cells`` values over ``size`` places, linearly between them."""
    at = np.linspace(0, cells - 1, size)
    return np.maximum(0, 1 - np.abs(at[:, None] - np.arange(cells))).astype(np.float32)
