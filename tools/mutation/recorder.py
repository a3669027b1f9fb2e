"""A pytest plugin that writes down which blocks each test file runs, and how long it takes."""

import builtins
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

__all__ = ["pytest_runtest_logreport", "pytest_runtest_protocol", "pytest_sessionfinish"]

_files: dict[str, dict[str, Any]] = {}
_now: str | None = None
_since = 0.0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Begin with the next file where a test is not of the last one."""
    file = item.nodeid.split("::")[0]
    if file != _now:
        _close(file)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember the files that fail as they are: they would catch every mutant."""
    if report.failed:
        _files.setdefault(report.nodeid.split("::")[0], {})["failed"] = True


def pytest_sessionfinish() -> None:
    """Write what was found."""
    _close(None)
    Path(os.environ["FEEDLINE_RECORD"]).write_text(json.dumps(_files))


def _close(following: str | None) -> None:
    global _now, _since
    hits = builtins.__feedline_hits__  # type: ignore[attr-defined]
    marks = bytes(hits)
    hits[:] = bytes(len(marks))
    if _now is not None:
        found = _files.setdefault(_now, {})
        found["seconds"] = found.get("seconds", 0.0) + time.monotonic() - _since
        numbers = {number for number, mark in enumerate(marks) if mark}
        found["blocks"] = sorted(numbers.union(found.get("blocks", ())))
    _now, _since = following, time.monotonic()
