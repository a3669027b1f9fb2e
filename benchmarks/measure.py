"""measure: what every benchmark shares: the rounds, the peers, the table and the JSON line.

Contenders take turns, once each per round, so that a busy machine disturbs all of them
alike. What counts is the ratio inside a round: its median over the rounds is reported,
with the smallest and the largest beside it. Peers run in a process of their own, started
before the first round and asked for one pass at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from feedline.kernels.native import native

__all__ = ["Benchmark", "Peer", "say"]

_HERE = Path(__file__).resolve().parent
# A contender makes as many passes in a round as fill this: one pass of a few milliseconds
# would measure whether something else ran in them.
_LEAST_S = 0.25


@dataclass
class Peer:
    """A process that runs the same workload with another library."""

    script: str
    workload: str
    python: str
    mode: str = ""
    process: subprocess.Popen[str] | None = field(default=None, repr=False)
    about: dict[str, Any] = field(default_factory=dict)

    def start(self) -> None:
        """Start the process and wait until its data and pipeline are ready."""
        paths = [str(_HERE), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        environment["TF_CPP_MIN_LOG_LEVEL"] = "3"
        self.process = subprocess.Popen(
            [self.python, str(_HERE / "peers" / self.script), self.workload, self.mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        self.about = self._answer()

    def ask(self) -> dict[str, Any]:
        """Run the workload once; return what the peer measured."""
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write("run\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        raise RuntimeError(f"{self.script} {self.workload}: the peer ended without an answer")

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.communicate()


class Benchmark:
    """One claim: contenders, rounds, a table, a JSON line.

    A contender is a function of no arguments that makes one pass and returns how many
    elements it handled. Ratios are taken to a contender that does the same work.
    """

    def __init__(self, name: str, claim: str, unit: str = "elements") -> None:
        self.name = name
        self.claim = claim
        self.unit = unit
        self._contenders: dict[str, Callable[[], int]] = {}
        self._peers: dict[str, Peer] = {}
        # Elements per second, round by round.
        self._rates: dict[str, list[float]] = {}
        self._against: dict[str, str] = {}
        self._subject = ""
        self.arguments = _arguments(claim)

    def add(self, label: str, run: Callable[[], int], *, against: str = "") -> None:
        """Add a contender that runs in this process; peers are compared with the first Feedline.

        Args:
            label: Who it is.
            run: Makes one pass, returns how many elements it handled.
            against: The contender its ratio is taken to: one that does the same work. The
                first contender of all if it is not said.
        """
        self._contenders[label] = run
        self._against[label] = against or next(iter(self._contenders))
        if not self._subject and label.startswith("Feedline"):
            self._subject = label

    def add_peers(self, workload: str) -> None:
        """Add the peers that are at hand: tf.data if --tf-python is given or it is installed."""
        tf_python = self.arguments.tf_python or (sys.executable if find_spec("tensorflow") else "")
        if tf_python:
            self._peers["tf.data"] = Peer("tf_data.py", workload, tf_python)
            self._peers["tf.data, tuner off"] = Peer("tf_data.py", workload, tf_python, "untuned")
        torch_python = self.arguments.torch_python or (sys.executable if find_spec("torch") else "")
        if torch_python:
            self._peers["torch DataLoader"] = Peer("torch_dataloader.py", workload, torch_python)

    def begin(self) -> None:
        """Say what is measured, and on what."""
        say(f"\n== {self.name}: {self.claim}")
        say(_machine())

    def peer_counts(self) -> dict[str, int]:
        """Ask every peer once; return what it counted. For claims that are not about time."""
        counts = {}
        for label, peer in self._peers.items():
            peer.start()
            if "error" not in peer.about:
                counts[label] = int(peer.ask()["count"])
            peer.stop()
        return counts

    def run(self) -> None:
        """Run the rounds and report."""
        self.begin()
        for label, peer in list(self._peers.items()):
            peer.start()
            say(f"{label}: {json.dumps(peer.about)}")
            if "error" in peer.about:
                peer.stop()
                del self._peers[label]
        for _ in range(self.arguments.warmup):
            self._round(keep=False)
        for _ in range(self.arguments.repeats):
            self._round(keep=True)
        for peer in self._peers.values():
            peer.stop()
        self._report()

    def _round(self, keep: bool) -> None:
        for label, run in self._contenders.items():
            started = perf_counter()
            count, elapsed = 0, 0.0
            while elapsed < _LEAST_S:
                count += run()
                elapsed = perf_counter() - started
            self._note(label, count, elapsed, keep)
        for label, peer in self._peers.items():
            answer = peer.ask()
            self._note(label, answer["count"], answer["seconds"], keep)

    def _note(self, label: str, count: int, seconds: float, keep: bool) -> None:
        if keep:
            self._rates.setdefault(label, []).append(count / seconds)

    def us_each(self, label: str) -> list[float]:
        """Return the microseconds per element of one contender, round by round."""
        return [1e6 / rate for rate in self._rates[label]]

    def _report(self) -> None:
        rows = []
        for label, found in self._rates.items():
            rates = sorted(found)
            against = self._against.get(label, next(iter(self._contenders)))
            ratios = self._ratios(label, against)
            rows.append(
                {
                    "who": label,
                    "per_second": _rounded(statistics.median(rates)),
                    "slowest": _rounded(rates[0]),
                    "fastest": _rounded(rates[-1]),
                    "us_per_element": _rounded(1e6 / statistics.median(rates)),
                    "against": against,
                    "ratio": _rounded(statistics.median(ratios)),
                    "ratio_spread": [_rounded(end) for end in _ends(ratios)],
                }
            )
        title = f"{self.unit}/s"
        heads = f"{'':<44}{title:>14}{'slowest..fastest':>26}{'us each':>10}"
        say(f"{heads}  ratio")
        for row in rows:
            spread = f"{_human(row['slowest'])}..{_human(row['fastest'])}"
            low, high = row["ratio_spread"]
            against = "" if row["against"] == row["who"] else f" of {row['against']}"
            rate = f"{row['who']:<44}{_human(row['per_second']):>14}{spread:>26}"
            ratio = f"{row['ratio']:.3g} ({low:.3g}..{high:.3g}){against}"
            say(f"{rate}{row['us_per_element']:>10.3g}  {ratio}")
        times_peer = {}
        for label in self._peers:
            ratios = self._ratios(self._subject, label)
            times_peer[label] = [_rounded(x) for x in (statistics.median(ratios), *_ends(ratios))]
            middle, low, high = times_peer[label]
            say(f"{self._subject} is {middle:.3g} ({low:.3g}..{high:.3g}) times {label}")
        line = {
            "benchmark": self.name,
            "unit": self.unit,
            "repeats": self.arguments.repeats,
            "rows": rows,
            "times_peer": times_peer,
            "versions": _versions(),
            "peers": {label: peer.about for label, peer in self._peers.items()},
        }
        say(json.dumps(line))

    def _ratios(self, label: str, other: str) -> list[float]:
        """Return, per round, one contender's rate over another's."""
        pairs = zip(self._rates[label], self._rates[other], strict=True)
        return [mine / theirs for mine, theirs in pairs]


def say(text: str) -> None:
    """Write a line to the standard output at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _arguments(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--tf-python", default="", help="an interpreter that has TensorFlow")
    parser.add_argument("--torch-python", default="", help="an interpreter that has PyTorch")
    parser.add_argument("--repeats", type=int, default=7, help="rounds that count")
    parser.add_argument("--warmup", type=int, default=1, help="rounds before those")
    return parser.parse_args()


def _machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].split(":", 1)[1].strip() if names else model
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    found = ", ".join(f"{name} {version}" for name, version in _versions().items())
    return f"{model}, {cores} cores, load {load:.1f}; {found}"


def _versions() -> dict[str, str]:
    kernels = "native kernels" if native is not None else "no native kernels"
    return {
        "feedline": f"{_installed('feedline')} ({kernels})",
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def _installed(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "source tree"


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def _ends(values: list[float]) -> tuple[float, float]:
    return min(values), max(values)


def _human(rate: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {letter}"
    return f"{rate:.3g}"
