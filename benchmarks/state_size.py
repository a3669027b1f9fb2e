"""Claim: the state of an iterator is at most 16 KB, whatever the size of what is held."""

from __future__ import annotations

import json
import statistics
from itertools import islice
from time import perf_counter
from typing import Any

import numpy as np
import workloads as w
from measure import Benchmark, say

import feedline as tf

_BATCHES = 10


def _pipelines() -> dict[str, Any]:
    images = tf.data.Dataset.from_tensor_slices(w.images())
    plain = images.map(lambda image: image * 2)
    nested = tf.data.Dataset.range(64).interleave(
        lambda x: tf.data.Dataset.range(x, x + 200), cycle_length=16
    )
    return {
        "slices.shuffle.batch": images.shuffle(1_000, seed=1).batch(32),
        "slices.shuffle(None).batch": images.shuffle(None, seed=1).batch(32),
        "slices.map.shuffle.batch": plain.shuffle(1_000, seed=1).batch(32),
        "slices.map.shuffle.batch.prefetch": (plain.shuffle(1_000, seed=1).batch(32).prefetch(8)),
        "range.interleave(16).batch": nested.batch(32),
    }


def main() -> None:
    """Run the benchmark."""
    bench = Benchmark(
        "state_size",
        "state in the middle of shuffle(1_000) of 3,136-byte elements: at most 16 KB",
        "bytes",
    )
    rows = []
    bench.begin()
    say(f"{'':<40}{'bytes':>10}{'state_dict us':>16}{'resume ms':>12}{'from start ms':>16}")
    for label, ds in _pipelines().items():
        it = iter(ds)
        heads = list(islice(it, _BATCHES))
        size = len(json.dumps(it.state_dict()))
        save, resume, start = [], [], []
        for _ in range(bench.arguments.repeats):
            begun = perf_counter()
            saved = it.state_dict()
            save.append(1e6 * (perf_counter() - begun))
            begun = perf_counter()
            again = iter(ds)
            again.load_state_dict(saved)
            after = next(again)
            resume.append(1e3 * (perf_counter() - begun))
            begun = perf_counter()
            list(islice(iter(ds), _BATCHES + 1))
            start.append(1e3 * (perf_counter() - begun))
        assert np.array_equal(after, next(it)), label
        assert len(heads) == _BATCHES
        row = {
            "who": label,
            "bytes": size,
            "state_dict_us": round(statistics.median(save), 1),
            "resume_ms": round(statistics.median(resume), 2),
            "from_start_ms": round(statistics.median(start), 2),
        }
        rows.append(row)
        say(
            f"{label:<40}{row['bytes']:>10}{row['state_dict_us']:>16}{row['resume_ms']:>12}"
            f"{row['from_start_ms']:>16}"
        )
    bench.add_peers("state_size")
    for peer, size in bench.peer_counts().items():
        label = f"{peer}: slices.shuffle.batch.prefetch"
        say(f"{label:<40}{size:>10}")
        rows.append({"who": label, "bytes": size})
    say(json.dumps({"benchmark": bench.name, "rows": rows}))


if __name__ == "__main__":
    main()
