"""workloads: the data of the benchmarks, made with NumPy alone so that every peer gets the same."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BATCH",
    "EXAMPLES_BATCH",
    "EXAMPLES_CYCLE",
    "EXAMPLES_FOLDER",
    "NUMBERS",
    "NUMBERS_BATCH",
    "PADDED_BATCH",
    "SHUFFLE_BUFFER",
    "TABLE_BATCH",
    "TABLE_FILE",
    "WINDOW",
    "WINDOW_BATCH",
    "example_features",
    "example_files",
    "example_values",
    "grey_images",
    "images",
    "numerals",
    "rows",
    "sentences",
    "series",
    "table_defaults",
    "tokens",
    "write_table",
]

BATCH = 256
SHUFFLE_BUFFER = 10_000
WINDOW, WINDOW_BATCH = 30, 32
PADDED_BATCH = 64
EXAMPLES_BATCH = 1024
EXAMPLES_CYCLE = 8
# Where the benchmark that writes the records says they are.
EXAMPLES_FOLDER = "FEEDLINE_EXAMPLES_FOLDER"
NUMBERS, NUMBERS_BATCH = 1_000_000, 128
TABLE_BATCH = 1024
# Where the benchmark that writes the table says it is.
TABLE_FILE = "FEEDLINE_TABLE_FILE"
# Where the images lie, encoded.
JPEG_FILE = "FEEDLINE_JPEG_FILE"


def rows(count: int = 200_000) -> NDArray[np.float32]:
    """Return ``count`` rows of 64 float32."""
    return np.random.default_rng(0).standard_normal((count, 64), dtype=np.float32)


def series(count: int = 500_000) -> NDArray[np.float32]:
    """Return one long series of float32."""
    return np.random.default_rng(1).standard_normal(count, dtype=np.float32)


def tokens(count: int = 20_000) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the values and row splits of sequences of 5 to 200 tokens."""
    rng = np.random.default_rng(2)
    lengths = rng.integers(5, 201, count)
    splits = np.concatenate([[0], np.cumsum(lengths)])
    return rng.integers(1, 30_000, splits[-1]), splits


def images(count: int = 4_000) -> NDArray[Any]:
    """Return ``count`` images of 28 x 28 float32: 3,136 bytes each."""
    return np.random.default_rng(3).standard_normal((count, 28, 28), dtype=np.float32)


def grey_images(count: int = 20_000) -> NDArray[np.uint8]:
    """Return ``count`` images of 28 x 28 bytes."""
    return np.random.default_rng(4).integers(0, 256, (count, 28, 28), dtype=np.uint8)


def photos(count: int = 64) -> NDArray[np.uint8]:
    """Pictures of 500 x 375 that compress as photos do: smooth, with some noise."""
    random = np.random.default_rng(5)
    coarse = random.integers(0, 256, (count, 24, 32, 3)).astype(np.float32)
    fine = np.repeat(np.repeat(coarse, 16, 1), 16, 2)[:, :375, :500]
    blurred = (fine + np.roll(fine, 5, 1) + np.roll(fine, 5, 2) + np.roll(fine, 9, 2)) / 4
    noise = random.normal(0, 4, (1, 375, 500, 3)).astype(np.float32)
    return np.clip(blurred + noise, 0, 255).astype(np.uint8)


def example_values(count: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return 13 floats and 9 integers, the last a label, for each record."""
    rng = np.random.default_rng(5)
    integers = rng.integers(0, 100_000, (count, 9))
    integers[:, -1] %= 2
    return rng.standard_normal((count, 13), dtype=np.float32), integers


def example_files() -> list[str]:
    """Return the files of records."""
    return sorted(map(str, Path(os.environ[EXAMPLES_FOLDER]).glob("*.tfrecord")))


def example_features(tf: Any) -> dict[str, Any]:
    """Return what to parse, in terms of TensorFlow or of Feedline."""
    names = [f"i{number}" for number in range(8)]
    return {
        **{f"f{number}": tf.io.FixedLenFeature([], tf.float32) for number in range(13)},
        **{name: tf.io.FixedLenFeature([], tf.int64) for name in (*names, "label")},
    }


def sentences(count: int = 50_000) -> list[bytes]:
    """Return ``count`` lines of 3 to 12 words, with spaces around them."""
    rng = np.random.default_rng(5)
    words = [b"The", b"quick", b"Brown", b"fox", b"JUMPS", b"over", b"the", b"lazy", b"Dog"]
    lengths = rng.integers(3, 13, count).tolist()
    picks = iter(rng.integers(0, len(words), sum(lengths)).tolist())
    return [b"  " + b" ".join(words[next(picks)] for _ in range(n)) + b" \n" for n in lengths]


def numerals(count: int = 100_000) -> list[bytes]:
    """Return ``count`` numbers as text."""
    return [b"%.6f" % x for x in np.random.default_rng(6).standard_normal(count)]


def write_table(path: str, count: int = 200_000) -> None:
    """Write a CSV file of 13 floats, an integer and a word on every line."""
    rng = np.random.default_rng(7)
    with open(path, "w") as file:
        for number, row in enumerate(rng.standard_normal((count, 13)).tolist()):
            file.write(",".join(f"{x:.5f}" for x in row) + f",{number},word{number % 100}\n")


def table_defaults() -> list[Any]:
    """Return the columns of that file."""
    return [[0.0]] * 13 + [[0], [""]]
