"""Claim: import and the first batch take less than 0.3 s and 60 MB over bare Python."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from importlib.util import find_spec
from tempfile import TemporaryDirectory

from measure import Benchmark, say

_COUNT_MEMORY = """
import json, time
started, busy = time.perf_counter(), time.process_time()
{code}
elapsed, busy = time.perf_counter() - started, time.process_time() - busy
peak = 0
for line in open("/proc/self/status"):
    if line.startswith("VmHWM:"):
        peak = int(line.split()[1])
print(json.dumps({{"seconds": elapsed, "cpu": busy, "peak_kb": peak}}))
"""
_FIRST_BATCH = """
import numpy as np
import {module} as tf
rows = np.zeros((1000, 64), np.float32)
for batch in tf.data.Dataset.from_tensor_slices(rows).shuffle(100, seed=1).batch(32):
    break
"""


def _measured(python: str, code: str, cache: str) -> dict[str, float]:
    # Installed packages come with compiled files; a source tree may have none, and no right to
    # write them. The rounds before those that count make them in ``cache``.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [python, "-W", "ignore", "-c", _COUNT_MEMORY.format(code=code)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def main() -> None:
    """Run the benchmark. Rounds alternate here, not in Benchmark: each pass is a process."""
    bench = Benchmark(
        "import_cost",
        "import and first batch: less than 0.3 s and 60 MB over bare Python",
    )
    bench.begin()
    codes = {
        "bare Python": (sys.executable, "pass"),
        "import numpy": (sys.executable, "import numpy"),
        "import feedline": (sys.executable, "import feedline"),
        "feedline, first batch": (sys.executable, _FIRST_BATCH.format(module="feedline")),
    }
    tf_python = bench.arguments.tf_python or (sys.executable if find_spec("tensorflow") else "")
    if tf_python:
        codes["tf.data, first batch"] = (tf_python, _FIRST_BATCH.format(module="tensorflow"))
    torch_python = bench.arguments.torch_python or (sys.executable if find_spec("torch") else "")
    if torch_python:
        codes["import torch.utils.data"] = (torch_python, "import torch.utils.data")
    found: dict[str, list[dict[str, float]]] = {label: [] for label in codes}
    with TemporaryDirectory() as cache:
        for number in range(1 + bench.arguments.repeats):
            for label, (python, code) in codes.items():
                answer = _measured(python, code, cache)
                if number:
                    found[label].append(answer)
    bare = statistics.median(answer["peak_kb"] for answer in found["bare Python"])
    rows = []
    say(f"{'':<28}{'ms':>10}{'spread':>16}{'ms of CPU':>12}{'MB over bare Python':>22}")
    for label, answers in found.items():
        times = sorted(1e3 * answer["seconds"] for answer in answers)
        over = (statistics.median(answer["peak_kb"] for answer in answers) - bare) / 1024
        spread = f"{times[0]:.0f}..{times[-1]:.0f}"
        cpu = 1e3 * statistics.median(answer["cpu"] for answer in answers)
        say(f"{label:<28}{statistics.median(times):>10.0f}{spread:>16}{cpu:>12.0f}{over:>22.1f}")
        rows.append(
            {
                "who": label,
                "ms": round(statistics.median(times), 1),
                "ms_spread": [round(times[0], 1), round(times[-1], 1)],
                "cpu_ms": round(cpu, 1),
                "mb_over_python": round(over, 1),
            }
        )
    say(json.dumps({"benchmark": bench.name, "rows": rows}))


if __name__ == "__main__":
    main()
