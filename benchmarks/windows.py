"""Claim: sliding windows run at half the speed of NumPy's sliding_window_view or more."""

from __future__ import annotations

import numpy as np
import workloads as w
from measure import Benchmark

import feedline as tf

_LENGTH = 100_000


def main() -> None:
    """Run the benchmark."""
    series = w.series(_LENGTH)
    bench = Benchmark(
        "windows",
        "window(30, shift=1).flat_map(batch).batch(32): at least 0.5 of plain NumPy",
        "windows",
    )
    view = np.lib.stride_tricks.sliding_window_view(series, w.WINDOW)

    starts = range(0, len(view), w.WINDOW_BATCH)

    def plain() -> int:
        return sum(len(view[at : at + w.WINDOW_BATCH].copy()) for at in starts)

    def plain_views() -> int:
        return sum(len(view[at : at + w.WINDOW_BATCH]) for at in starts)

    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(w.WINDOW, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda window: window.batch(w.WINDOW, drop_remainder=True))
    ds = ds.batch(w.WINDOW_BATCH)
    # Feedline hands out overlapping views. tf.data hands out arrays of their own, so what is
    # set beside it has every batch copied.
    bench.add("plain NumPy, batches copied", plain)
    bench.add("Feedline, batches copied", lambda: sum(len(batch.copy()) for batch in ds))
    bench.add("plain NumPy, views", plain_views)
    bench.add("Feedline, views", lambda: sum(map(len, ds)), against="plain NumPy, views")
    bench.add_peers("windows")
    bench.run()


if __name__ == "__main__":
    main()
