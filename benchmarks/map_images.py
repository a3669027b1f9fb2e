"""Claim: casting and scaling images takes at most 1.3 of the time of a NumPy loop over batches."""

from __future__ import annotations

import numpy as np
import workloads as w
from measure import Benchmark

import feedline as tf

_BATCH = 32


def main() -> None:
    """Run the benchmark."""
    images = w.grey_images()
    bench = Benchmark(
        "map_images",
        "slices(28 x 28 uint8).map(astype(float32) / 255).batch(32): at least 0.77 of plain NumPy",
        "images",
    )

    def plain() -> int:
        return sum(
            len(images[at : at + _BATCH].astype(np.float32) / 255)
            for at in range(0, len(images), _BATCH)
        )

    slices = tf.data.Dataset.from_tensor_slices(images)
    one = slices.map(lambda x: x.astype(np.float32) / 255).batch(_BATCH)
    two = slices.map(lambda x: x.astype(np.float32)).map(lambda x: x / 255).batch(_BATCH)
    each = slices.map(lambda x: x.astype(np.float32) / 255, vectorize=False).batch(_BATCH)
    bench.add("plain NumPy, batch by batch", plain)
    bench.add("Feedline", lambda: sum(map(len, one)))
    bench.add("Feedline, two maps", lambda: sum(map(len, two)))
    bench.add("Feedline, vectorize=False", lambda: sum(map(len, each)))
    bench.add_peers("map_images")
    bench.run()


if __name__ == "__main__":
    main()
