"""functions_grain: a Python function in Grain, in the threads that it starts unless told otherwise."""

from __future__ import annotations

import os
from time import perf_counter

import functions as f
import grain
from serving import Pass, serve


def _add_one(_mode: str) -> Pass:
    count = int(os.environ["FEEDLINE_FUNCTION_CALLS"])
    ds = grain.MapDataset.range(count).map(f.add_one).to_iter_dataset()

    def run() -> tuple[int, float]:
        started = perf_counter()
        found = sum(1 for _ in ds)
        return found, perf_counter() - started

    return run


if __name__ == "__main__":
    serve({"add_one": _add_one}, "grain")
