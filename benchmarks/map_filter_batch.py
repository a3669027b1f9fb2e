"""Claim: small functions run over whole blocks, at more than 50 million elements a second."""

from __future__ import annotations

import numpy as np
import workloads as w
from measure import Benchmark

import feedline as tf


def main() -> None:
    """Run the benchmark."""
    bench = Benchmark(
        "map_filter_batch",
        "range(1_000_000).map(x * 2 + 1).filter(x % 3 == 0).batch(128): at least 50 M source "
        "elements/s, 1,000 x tf.data",
        "source elements",
    )

    def plain() -> int:
        x = np.arange(w.NUMBERS) * 2 + 1
        x = x[x % 3 == 0]
        for at in range(0, len(x), w.NUMBERS_BATCH):
            len(x[at : at + w.NUMBERS_BATCH])
        return w.NUMBERS

    ds = tf.data.Dataset.range(w.NUMBERS).map(lambda x: x * 2 + 1).filter(lambda x: x % 3 == 0)
    ds = ds.batch(w.NUMBERS_BATCH)

    def feedline() -> int:
        for batch in ds:
            len(batch)
        return w.NUMBERS

    bench.add("plain NumPy, all numbers at once", plain)
    bench.add("Feedline", feedline)
    bench.add_peers("map_filter_batch")
    bench.run()


if __name__ == "__main__":
    main()
