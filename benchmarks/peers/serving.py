"""serving: what the peers share: one line of JSON to say hello, then one for every pass."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import metadata
from typing import Any

__all__ = ["Pass", "serve"]

# Makes one pass; returns how many elements there were, and the seconds it took.
Pass = Callable[[], tuple[int, float]]


def serve(workloads: dict[str, Callable[[str], Pass]], *packages: str) -> None:
    """Serve the workload that the command line names, in the mode it names.

    Args:
        workloads: By name, what makes a pass of a mode.
        packages: Whose versions the benchmark shall report.
    """
    try:
        run = workloads[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else "")
    except Exception as error:  # the benchmark goes on without this peer, and says why
        _say({"error": f"{type(error).__name__}: {error}"})
        return
    _say({package: metadata.version(package) for package in packages})
    for _ in sys.stdin:
        count, seconds = run()
        _say({"count": count, "seconds": seconds})


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
