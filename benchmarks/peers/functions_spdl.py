"""functions_spdl: a Python function in the threads of SPDL, one for every processor."""

from __future__ import annotations

import os
from time import perf_counter

import functions as f
from serving import Pass, serve
from spdl.pipeline import PipelineBuilder


def _add_one(_mode: str) -> Pass:
    count = int(os.environ["FEEDLINE_FUNCTION_CALLS"])
    width = len(os.sched_getaffinity(0))

    def run() -> tuple[int, float]:
        started = perf_counter()
        pipeline = (
            PipelineBuilder()
            .add_source(range(count))
            .pipe(f.add_one, concurrency=width, output_order="input")
            .add_sink(100)
            .build(num_threads=width)
        )
        with pipeline.auto_stop():
            found = sum(1 for _ in pipeline)
            return found, perf_counter() - started

    return run


if __name__ == "__main__":
    serve({"add_one": _add_one}, "spdl_core")
