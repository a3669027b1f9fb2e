"""Claim: a per-element Python function costs less than 2 us more than in a bare loop."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
import workloads as w
from measure import Benchmark, say

import feedline as tf

_COUNT = 100_000


# Branches on a value, so that it has to be called on each element.
def _add_one(x: Any) -> Any:
    return x + 1 if x >= 0 else x


def _double(row: Any) -> Any:
    return row * 2 if row[0] > -100 else row


def _jitter(x: Any, rng: np.random.Generator) -> Any:
    return x + rng.random()


def main() -> None:
    """Run the benchmark."""
    bench = Benchmark(
        "python_function",
        "map(f) on numbers and on rows: less than 2 us per element above a bare loop",
    )
    numbers = list(np.arange(_COUNT))
    rows = w.rows(_COUNT // 4)

    def bare_numbers() -> int:
        return sum(1 for x in numbers if _add_one(x) is not None)

    def bare_rows() -> int:
        return sum(1 for row in rows if _double(row) is not None)

    def bare_batches() -> int:
        starts = range(0, len(numbers), w.BATCH)
        return sum(
            len(np.array([_add_one(x) for x in numbers[at : at + w.BATCH]])) for at in starts
        )

    each = tf.data.Dataset.range(_COUNT).map(_add_one)
    of_rows = tf.data.Dataset.from_tensor_slices(rows).map(_double)
    drawn = tf.data.Dataset.range(_COUNT // 10).map(_jitter)
    batched = each.batch(w.BATCH)
    # The peers stack batches too, so that comes first.
    bench.add("bare loop, numbers, stacked by 256", bare_batches)
    bench.add("Feedline, numbers, batch(256)", lambda: sum(map(len, batched)))
    bench.add("bare loop, numbers", bare_numbers)
    bench.add("Feedline, numbers", lambda: sum(1 for _ in each), against="bare loop, numbers")
    bench.add("bare loop, rows of 64", bare_rows)
    bare = "bare loop, rows of 64"
    bench.add("Feedline, rows of 64", lambda: sum(1 for _ in of_rows), against=bare)
    bench.add(
        "Feedline, numbers, with rng", lambda: sum(1 for _ in drawn), against="bare loop, numbers"
    )
    bench.add_peers("python_function")
    bench.run()
    for mine, bare in (
        ("Feedline, numbers", "bare loop, numbers"),
        ("Feedline, numbers, batch(256)", "bare loop, numbers, stacked by 256"),
        ("Feedline, rows of 64", "bare loop, rows of 64"),
    ):
        pairs = zip(bench.us_each(mine), bench.us_each(bare), strict=True)
        own = [one - other for one, other in pairs]
        say(f"{mine}: own cost {statistics.median(own):.2f} us ({min(own):.2f}..{max(own):.2f})")


if __name__ == "__main__":
    main()
