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
    # Feedline hands out views. tf.data hands out arrays of their own, so what is set beside it
    # has every batch copied.
    views = "plain NumPy, views"
    bench.add("plain NumPy, batches copied", plain_copies)
    bench.add("Feedline, batches copied", lambda: sum(len(batch.copy()) for batch in ds))
    bench.add(views, plain)
    bench.add("Feedline, views", lambda: sum(map(len, ds)), against=views)
    bench.add("Feedline, views, pairs", lambda: sum(len(x) for x, _ in pairs), against=views)
    bench.add_peers("arrays_batch_views")
    bench.run()


if __name__ == "__main__":
    main()
