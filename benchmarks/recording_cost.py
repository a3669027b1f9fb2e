"""Claim: recording and proving a function of ten operations takes less than 5 ms."""

from __future__ import annotations

import statistics
from time import perf_counter
from typing import Any

import numpy as np
import workloads as w
from measure import Benchmark, say

from feedline.block import Block
from feedline.column import Dense
from feedline.graph.vectorizer import Vectorizer
from feedline.structure import LEAF

_TIMES = 31
_MEAN = np.array(0.5, np.float32)


def _ten_operations(x: Any) -> Any:
    x = x.astype(np.float32) / 255
    x = x - _MEAN
    x = np.clip(x, -1, 1)
    x = x[2:26, 2:26]
    x = np.where(x > 0, x, x * 0.5)
    x = x - x.mean()
    return x.reshape(-1)


def main() -> None:
    """Run the benchmark."""
    bench = Benchmark("recording_cost", "ten operations recorded twice and compared: below 5 ms")
    bench.begin()
    block = Block(LEAF, (Dense(w.grey_images(256)),), 256)
    seconds = []
    for _ in range(_TIMES):
        vectorizer = Vectorizer()
        started = perf_counter()
        made = vectorizer.run(_ten_operations, block, 0)
        seconds.append(perf_counter() - started)
        assert made is not None, vectorizer.refusal
    started = perf_counter()
    vectorizer.run(_ten_operations, block, 0)
    once = perf_counter() - started
    # What the first block takes longer than the second is what recording costs.
    cost = [1e3 * (each - once) for each in seconds]
    say(f"recording: {statistics.median(cost):.2f} ms ({min(cost):.2f}..{max(cost):.2f})")


if __name__ == "__main__":
    main()
