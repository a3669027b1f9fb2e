"""Claim: cpu_budget and ram_budget are kept to, within 10 %, by pipelines that would use far more.

Every pipeline runs in a process of its own, once without and once with a budget, and is watched from
outside: processor time and memory of the process and of all that it started. Memory is what
it has more than before the iteration, shared pages counted once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import functions as f
import numpy as np
from measure import say

import feedline as tf

_MB = 1_000_000
_RAM = 200 * _MB
_TICK_S = 0.02
_AUTOTUNE = tf.data.AUTOTUNE


# ---- the pipelines ---------------------------------------------------------------------


def _large(number: Any) -> Any:
    return np.full(_MB // 4 if number >= 0 else 0, number, np.float32)


def _numbers() -> Any:
    return tf.data.Dataset.range(10_000_000)


def _numpy_map() -> Any:
    return _numbers().map(f.numpy_bound, num_parallel_calls=_AUTOTUNE).batch(f.FUNCTION_BATCH)


def _python_map() -> Any:
    return _numbers().map(f.python_bound, num_parallel_calls=_AUTOTUNE).batch(f.FUNCTION_BATCH)


def _two_maps() -> Any:
    ds = _numbers().map(f.numpy_bound, num_parallel_calls=_AUTOTUNE)
    ds = ds.map(lambda x: np.sort(x) if x[0] > -1 else x, num_parallel_calls=_AUTOTUNE)
    return ds.batch(f.FUNCTION_BATCH).prefetch(_AUTOTUNE)


def _far_ahead() -> Any:
    return _numbers().map(_large, num_parallel_calls=_AUTOTUNE).prefetch(2_000)


def _large_batches() -> Any:
    ds = _numbers().map(_large, num_parallel_calls=_AUTOTUNE).batch(16)
    return ds.prefetch(100).map(lambda x: x + 1 if x[0, 0] >= 0 else x).prefetch(100)


def _in_processes() -> Any:
    options = tf.data.Options()
    options.executor = "processes"
    return _far_ahead().with_options(options)


# What is measured, the pipeline, and how long its consumer takes for each element.
CASES: dict[str, tuple[str, Callable[[], Any], float]] = {
    "a NumPy-bound map": ("cpu", _numpy_map, 0.0),
    "a Python-bound map": ("cpu", _python_map, 0.0),
    "two maps and a prefetch": ("cpu", _two_maps, 0.0),
    "2,000 elements of 1 MB ahead": ("ram", _far_ahead, 0.05),
    "100 batches of 16 MB ahead, twice": ("ram", _large_batches, 0.5),
    "2,000 of 1 MB ahead, from processes": ("ram", _in_processes, 0.05),
}


def _iterate(case: str, seconds: float, is_limited: bool) -> None:
    """Run one pipeline; says when it begins."""
    kind, build, pause = CASES[case]
    options = tf.data.Options()
    if is_limited and kind == "cpu":
        options.autotune.cpu_budget = 1
    if is_limited and kind == "ram":
        options.autotune.ram_budget = _RAM
    ds = build().with_options(options)
    say("begin")
    started = perf_counter()
    with iter(ds) as it:
        while perf_counter() - started < seconds:
            next(it)
            sleep(pause)
        say("end")


# ---- watching --------------------------------------------------------------------------


def _family(process: int) -> list[int]:
    """Return a process and all below it."""
    found = [process]
    for number in found:
        try:
            for task in Path(f"/proc/{number}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:  # it has ended
            continue
    return found


def _cpu_seconds(process: int) -> float:
    """Return the processor time of a process and of all it started, ended ones too."""
    ticks = 0
    for number in _family(process):
        try:
            fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _memory(process: int) -> int:
    """Return the bytes a family of processes has, shared ones counted once."""
    total = 0
    for number in _family(process):
        try:
            for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += 1024 * int(line.split()[1])
        except OSError:
            continue
    return total


def watched(case: str, seconds: float, is_limited: bool) -> float:
    """Return how many processors a pipeline used, or how many bytes at most."""
    command = [sys.executable, __file__, "--case", case, "--seconds", str(seconds)]
    child = subprocess.Popen(
        [*command, *(["--limited"] if is_limited else [])], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "begin\n", f"{case}: did not begin"
    if CASES[case][0] == "cpu":
        used, started = _cpu_seconds(child.pid), perf_counter()
        child.stdout.readline()
        found = (_cpu_seconds(child.pid) - used) / (perf_counter() - started)
    else:
        before, most, end = _memory(child.pid), 0, perf_counter() + seconds
        while perf_counter() < end - _TICK_S:
            sleep(_TICK_S)
            most = max(most, _memory(child.pid))
        found = most - before
    child.communicate()
    return found


def main() -> None:
    """Run every pipeline, or the one that is asked for."""
    parser = argparse.ArgumentParser(description="what budgets hold")
    parser.add_argument("--case", default="")
    parser.add_argument("--limited", action="store_true")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    if given.case:
        _iterate(given.case, given.seconds, given.limited)
        return
    say("\n== budgets: cpu_budget=1 and ram_budget=200 MB are kept to within 10 %")
    rows = []
    for case, (kind, _, _) in CASES.items():
        free = watched(case, given.seconds, False)
        held = [watched(case, given.seconds, True) for _ in range(given.repeats)]
        unit, budget = (1.0, 1.0) if kind == "cpu" else (_MB, _RAM)
        name = "processors" if kind == "cpu" else "MB"
        share = max(held) / budget
        rows.append({"case": case, "kind": kind, "free": free, "held": held, "share": share})
        shown = ", ".join(f"{value / unit:.3g}" for value in held)
        say(
            f"{case:<38}{free / unit:>8.3g} {name} without; with a budget of "
            f"{budget / unit:.3g}: {shown}; at most {share:.0%} of it"
        )
    say(json.dumps({"benchmark": "budgets", "rows": rows}))


if __name__ == "__main__":
    main()
