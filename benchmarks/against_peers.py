"""against_peers: a benchmark with more peers, each with an interpreter of its own.

A peer is run by ``FOLDER/NAME/bin/python``, a virtual environment that has it. FOLDER is
``--peers``, or $FEEDLINE_PEERS, or /opt/peers; $FEEDLINE_PEER_<NAME> names another interpreter.
A peer that is not there is left out, and the benchmark says so. How they are installed is in
peers/README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
from pathlib import Path
from time import perf_counter, sleep

from measure import Benchmark, Peer, say

__all__ = ["BenchmarkWithPeers", "settings"]

_REST_S = 0.1


def settings(**defaults: int) -> argparse.Namespace:
    """Take --peers and some numbers out of the command line; what is left is for Benchmark.

    Args:
        defaults: Names and values of the numbers: ``images=1024`` is ``--images 1024``.
    """
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--peers", default=os.environ.get("FEEDLINE_PEERS", "/opt/peers"))
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    found, sys.argv[1:] = parser.parse_known_args()
    return found


class BenchmarkWithPeers(Benchmark):
    """A benchmark whose peers are named one by one.

    Args:
        name: Its name.
        claim: What it shows.
        unit: What is counted.
        folder: Where the virtual environments of the peers are.
    """

    def __init__(self, name: str, claim: str, unit: str, folder: str) -> None:
        super().__init__(name, claim, unit)
        self._folder = Path(folder)
        self._missing: list[str] = []
        # Those that do not come as their documentation has it, but faster.
        self._by_hand: set[str] = set()
        self._order = random.Random(1)

    def add_peer(
        self, label: str, package: str, script: str, workload: str, mode: str = ""
    ) -> None:
        """Add a peer, if its interpreter is there.

        Args:
            label: Who it is.
            package: The name of its virtual environment.
            script: What serves its workloads.
            workload: Which of them.
            mode: How. A mode other than the first of a peer is one that was tuned by hand.
        """
        usual = self._folder / package / "bin" / "python"
        python = os.environ.get(f"FEEDLINE_PEER_{package.upper()}", str(usual))
        if Path(python).exists():
            self._peers[label] = Peer(script, workload, python, mode)
            self._by_hand.update([label] if mode else [])
        else:
            self._missing.append(f"{label} ({python})")

    def labels(self) -> list[str]:
        """Return who took part."""
        return list(self._rates)

    def _round(self, keep: bool) -> None:
        """Let everybody make a pass, in another order every time: what one leaves behind, such
        as threads that are about to sleep, shall not always be in the way of the same one.
        """
        order = [*self._contenders, *self._peers]
        found = {}
        for label in self._order.sample(order, len(order)):
            sleep(_REST_S)
            if label in self._peers:
                answer = self._peers[label].ask()
                count, seconds = answer["count"], answer["seconds"]
            else:
                started = perf_counter()
                count = self._contenders[label]()
                seconds = perf_counter() - started
            found[label] = count, seconds
        for label in order:
            self._note(label, *found[label], keep)

    def run(self) -> None:
        """Run the rounds and report, at last how the subject stands to the best peers."""
        if self._missing:
            say(f"not there, and left out: {', '.join(self._missing)}")
        super().run()
        documented = [label for label in self._peers if label not in self._by_hand]
        found = {}
        for title, labels in (("as documented", documented), ("of all", list(self._peers))):
            if labels:
                best = max(labels, key=lambda label: statistics.median(self._rates[label]))
                ratios = self._ratios(self._subject, best)
                middle = statistics.median(ratios)
                say(
                    f"{self._subject} is {middle:.3g} ({min(ratios):.3g}..{max(ratios):.3g}) "
                    f"times the best peer {title}, {best}"
                )
                found[title] = {"peer": best, "ratio": round(middle, 4)}
        say(json.dumps({"benchmark": self.name, "best_peer": found}))
