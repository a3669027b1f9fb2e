"""Claim: one core reads checked records at 1 GB/s, or at 80 % of the speed of a memory copy."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import workloads as w
from measure import Benchmark

import feedline as tf
from feedline.files import open_file

FILES = 4
TOTAL = 128 << 20


def write(folder: Path, record_bytes: int) -> None:
    """Write files of records that do not compress."""
    count = TOTAL // FILES // record_bytes
    for part in range(FILES):
        noise = np.random.default_rng(part).bytes(count * record_bytes)
        with tf.io.TFRecordWriter(str(folder / f"{part}.tfrecord")) as writer:
            for at in range(0, len(noise), record_bytes):
                writer.write(noise[at : at + record_bytes])


def main() -> None:
    """Run the benchmark for small and for large records."""
    for record_bytes in (128, 1024, 100_000):
        with TemporaryDirectory() as folder:
            write(Path(folder), record_bytes)
            os.environ[w.EXAMPLES_FOLDER] = folder
            _run(record_bytes)


def _run(record_bytes: int) -> None:
    files = w.example_files()
    size = sum(map(os.path.getsize, files))
    records = tf.data.TFRecordDataset(files)
    source, target = np.ones(size, np.uint8), np.empty(size, np.uint8)
    window = np.empty(1 << 18, np.uint8)

    def copied() -> int:
        np.copyto(target, source)
        return size

    def read_alone() -> int:
        count = 0
        for path in files:
            with open_file(path) as file:
                at = 0
                while found := file.read_into(at, window.data):
                    at += found
                count += at
        return count

    def in_blocks() -> int:
        with iter(records) as it:
            for _ in it.blocks():
                pass
        return size

    def one_by_one() -> int:
        for _ in records:
            pass
        return size

    bench = Benchmark(
        f"tfrecord_read_{record_bytes}",
        f"records of {record_bytes} bytes, checked, from files that are in memory: at least 1 GB/s "
        "or 80 % of a memory copy",
        "bytes",
    )
    bench.add("plain NumPy: copy as many bytes", copied)
    bench.add("plain reads, nothing checked", read_alone)
    bench.add("Feedline, blocks of records", in_blocks)
    bench.add("Feedline, every record an object", one_by_one)
    bench.add_peers("tfrecord_read")
    bench.run()


if __name__ == "__main__":
    main()
