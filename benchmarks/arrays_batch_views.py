"""Claim: batches of arrays in memory are views, at 5 million elements per second or more."""

from __future__ import annotations

import workloads as w
from measure import Benchmark

import feedline as tf


def main() -> None:
    """Run the benchmark."""
    rows = w.rows()
    bench = Benchmark(
        "arrays_batch_views",
        "200k rows of 64 float32, batch(256): at least 5 M rows/s",
        "rows",
    )

    def plain() -> int:
        return sum(len(rows[at : at + w.BATCH]) for at in range(0, len(rows), w.BATCH))

    def plain_copies() -> int:
        return sum(len(rows[at : at + w.BATCH].copy()) for at in range(0, len(rows), w.BATCH))

    ds = tf.data.Dataset.from_tensor_slices(rows).batch(w.BATCH)
    pairs = tf.data.Dataset.from_tensor_slices((rows, rows[:, 0])).batch(w.BATCH)
    bench.add("plain NumPy: slices", plain, reference=True)
    bench.add("plain NumPy: copied slices", plain_copies)
    bench.add("Feedline", lambda: sum(map(len, ds)))
    bench.add("Feedline, (row, label) pairs", lambda: sum(len(x) for x, _ in pairs))
    bench.add_peers("arrays_batch_views")
    bench.run()


if __name__ == "__main__":
    main()
