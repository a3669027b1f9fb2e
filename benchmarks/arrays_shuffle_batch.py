"""Claim: shuffling and batching arrays in memory runs at 80 % of a plain NumPy gather or more."""

from __future__ import annotations

import numpy as np
import workloads as w
from measure import Benchmark

import feedline as tf


def main() -> None:
    """Run the benchmark."""
    rows = w.rows()
    bench = Benchmark(
        "arrays_shuffle_batch",
        "200k rows of 64 float32, shuffle(10_000), batch(256): at least 0.8 of plain NumPy",
        "rows",
    )
    rng = np.random.default_rng(0)

    def plain() -> int:
        order = rng.permutation(len(rows))
        starts = range(0, len(rows), w.BATCH)
        return sum(len(rows.take(order[at : at + w.BATCH], axis=0)) for at in starts)

    index = tf.data.Dataset.range(len(rows)).shuffle(w.SHUFFLE_BUFFER, seed=1)
    order_of_buffer = np.concatenate(list(index.batch(1 << 14)))

    def gather_in_that_order() -> int:
        starts = range(0, len(rows), w.BATCH)
        return sum(len(rows.take(order_of_buffer[at : at + w.BATCH], axis=0)) for at in starts)

    ds = tf.data.Dataset.from_tensor_slices(rows).shuffle(w.SHUFFLE_BUFFER, seed=1).batch(w.BATCH)
    whole = tf.data.Dataset.from_tensor_slices(rows).shuffle(None, seed=1).batch(w.BATCH)
    bench.add("plain NumPy: permutation, gather per batch", plain)
    bench.add("plain NumPy: gather alone, same order", gather_in_that_order)
    bench.add("Feedline", lambda: sum(map(len, ds)))
    bench.add("Feedline, shuffle(None): all rows", lambda: sum(map(len, whole)))
    bench.add_peers("arrays_shuffle_batch")
    bench.run()


if __name__ == "__main__":
    main()
