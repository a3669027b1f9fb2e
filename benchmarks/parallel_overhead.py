"""Claim: an element of a parallel map costs less than 5 us more than in a plain loop.

The function does next to nothing, so that what is left is the cost of handing over.
"""

from __future__ import annotations

import os
import statistics
from typing import Any

import functions as f
from against_peers import BenchmarkWithPeers, settings
from measure import say

import feedline as tf

_BARE = "plain loop"


def dataset(count: int, width: int, executor: str | None) -> Any:
    """Return the numbers below ``count``, each of them given to the function."""
    options = tf.data.Options()
    options.executor = executor
    # On whole blocks there would be nothing to measure.
    options.vectorize = False
    return tf.data.Dataset.range(count).with_options(options).map(f.add_one, width)


def main() -> None:
    """Run the benchmark."""
    given = settings(calls=50_000)
    # Peers that need some hundred microseconds for each get less to do.
    os.environ["FEEDLINE_FUNCTION_CALLS"] = str(max(given.calls // 20, 100))
    bench = BenchmarkWithPeers(
        "parallel_overhead",
        "map(trivial Python function, in parallel): less than 5 us per element above a loop",
        "elements",
        given.peers,
    )
    numbers = list(tf.data.Dataset.range(given.calls))
    ways = {
        "Feedline, threads x 2": (2, "threads"),
        "Feedline, processes x 2": (2, "processes"),
        "Feedline, AUTOTUNE": (tf.data.AUTOTUNE, None),
    }
    bench.add(_BARE, lambda: sum(1 for number in numbers if f.add_one(number) is not None))
    for label, (width, executor) in ways.items():
        ds = dataset(given.calls, width, executor)
        bench.add(label, lambda ds=ds: sum(1 for _ in ds))  # type: ignore[misc]
    bench.add_peer("Grain, its threads", "grain", "functions_grain.py", "add_one")
    bench.add_peer("SPDL, its threads", "spdl", "functions_spdl.py", "add_one")
    bench.run()
    for label in bench.labels():
        if label != _BARE:
            pairs = zip(bench.us_each(label), bench.us_each(_BARE), strict=True)
            own = [one - bare for one, bare in pairs]
            say(f"{label}: {statistics.median(own):.2f} us an element above a plain loop")


if __name__ == "__main__":
    main()
