"""Claim: a Python-bound function runs at 1.8 times one plain loop on two cores, without a hint.

AUTOTUNE finds that processes help it, and that threads help a NumPy-bound one. torch's DataLoader
with two workers is in the same rounds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import functions as f
import numpy as np
from against_peers import BenchmarkWithPeers, settings
from measure import say

import feedline as tf


def batches(function: Callable[[Any], Any], count: int) -> Iterator[Any]:
    """Yield what a plain loop makes: batches of results."""
    for start in range(0, count, f.FUNCTION_BATCH):
        stop = min(start + f.FUNCTION_BATCH, count)
        yield np.array([function(number) for number in range(start, stop)])


def passes(ds: Any) -> int:
    """Make one pass over a dataset of batches."""
    return sum(map(len, ds))


def where(ds: Any, count: int) -> str:
    """Return where the function of a dataset ran, at the end of an epoch."""
    with iter(ds) as it:
        for _ in range(max(count // f.FUNCTION_BATCH - 1, 1)):
            next(it)
        stats = it.stats()
    step = max(stats.steps, key=lambda step: step.busy_s)
    decisions = "\n".join(f"  {decision}" for decision in stats.decisions)
    return f"{step.label} ran in {step.executor} x {step.width}\n{decisions}".rstrip()


def main() -> None:
    """Run both benchmarks."""
    given = settings(calls=20_000)
    os.environ["FEEDLINE_FUNCTION_CALLS"] = str(given.calls)
    for function, least in ((f.python_bound, "1.8"), (f.numpy_bound, "1.5")):
        name = function.__name__
        bench = BenchmarkWithPeers(
            name,
            f"AUTOTUNE on its own: at least {least} of a plain loop on 2 cores, and as fast as "
            "torch DataLoader with 2 workers",
            "elements",
            given.peers,
        )
        ds = tf.data.Dataset.range(given.calls)
        ds = ds.map(function, num_parallel_calls=tf.data.AUTOTUNE).batch(f.FUNCTION_BATCH)
        bench.add(
            "plain loop",
            lambda function=function: sum(map(len, batches(function, given.calls))),  # type: ignore[misc]
        )
        bench.add("Feedline, AUTOTUNE, no hint", lambda ds=ds: passes(ds))  # type: ignore[misc]
        script = "functions_torch.py"
        bench.add_peer("torch DataLoader, 2 workers kept", "torch", script, name)
        bench.add_peer("torch DataLoader, 2 workers per epoch", "torch", script, name, "fresh")
        bench.run()
        say(f"{name}: {where(ds, given.calls)}")


if __name__ == "__main__":
    main()
