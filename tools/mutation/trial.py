"""One mutant against the tests that could catch it, until the first that does."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from tools.mutation.blocks import ROOT, sources
from tools.mutation.coverage_map import KEPT, OVERLAY, PLAIN, CoverageMap
from tools.mutation.mutants import Mutant

__all__ = ["Result", "Trials", "doubted"]

_FIRST_BATCH = 15.0
_STARTING = 60.0
_PATIENCE = 6.0  # how much slower than recorded tests may be before they hang
_FAILED = re.compile(r"^(?:FAILED|ERROR) ([^\n]*?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """What became of a mutant."""

    mutant: Mutant
    outcome: str
    """caught, survived, not run by any test, or doubtful: that test fails without it too."""

    by: str = ""
    """The test that caught it."""

    seconds: float = 0.0
    """Of tests, as recorded, that were run in vain."""


class Trials:
    """Runs tests on mutants; can be stopped from another thread."""

    def __init__(self, tests: CoverageMap, budget: float) -> None:
        self._tests = tests
        self._budget = budget
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, mutant: Mutant) -> Result:
        """Run the tests that could catch a mutant."""
        files = self._tests.tests_for(mutant)
        if not files:
            return Result(mutant, "not run")
        spent = 0.0
        with tempfile.TemporaryDirectory(prefix="feedline-mutant-") as folder:
            text = Path(folder, "mutant.py")
            text.write_bytes(mutant.source)
            for batch in self._batches(files):
                if spent > self._budget or self._stopped:
                    break
                seconds = sum(map(self._tests.seconds.__getitem__, batch))
                patience = _STARTING + _PATIENCE * seconds
                caught = self._run(mutant.path, text, ["--exitfirst", *batch], patience)
                caught = "" if self._stopped else _first_failure(caught, batch)
                if caught:
                    return Result(mutant, "caught", caught, spent)
                spent += seconds
        return Result(mutant, "stopped" if self._stopped else "survived", seconds=spent)

    def control(self, tests: list[str], seconds: float = 1800) -> list[str]:
        """Return which tests fail on the package as it is, run as if it had a mutant."""
        path = sources()[0]
        with tempfile.TemporaryDirectory(prefix="feedline-control-") as folder:
            text = Path(folder, "mutant.py")
            text.write_bytes(path.read_bytes())
            printed = self._run(path, text, tests, seconds)
        if printed == "":
            return []
        failed = _FAILED.findall(printed or "")
        return sorted({_function(name) for name in failed}) or [_last_line(printed)]

    def stop(self) -> None:
        """End the tests that run."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    @property
    def is_stopped(self) -> bool:
        """Whether stop() was called."""
        return self._stopped

    def _batches(self, files: list[str]) -> list[list[str]]:
        """Split test files: few at first, as most mutants are caught at once, then ever more."""
        batches: list[list[str]] = [[]]
        size, wanted = 0.0, _FIRST_BATCH
        for file in files:
            if size > wanted:
                batches.append([])
                size, wanted = 0.0, 2 * wanted
            batches[-1].append(file)
            size += self._tests.seconds[file]
        return batches

    def _run(self, path: Path, text: Path, tests: list[str], seconds: float) -> str | None:
        """Run tests; return what a failing run printed, "" if none fails, None if it hangs."""
        folder = text.parent
        environment = {
            "FEEDLINE_MUTATED": os.path.realpath(path),
            "FEEDLINE_MUTANT": str(text),
            "PYTHONPATH": str(OVERLAY),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(KEPT.with_name("pycache")),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
        }
        command = [sys.executable, "-m", "pytest", "--quiet", "--tb=no", PLAIN]
        command += ["-p", "tools.mutation.no_shrinking", "-p", "no:cacheprovider"]
        command += ["--hypothesis-seed=0", f"--basetemp={folder / 'pytest'}", "-rfE", *tests]
        with self._lock:
            if self._stopped:
                return ""
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**_inherited(), **environment},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            self._running.add(process)
        try:
            printed, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _kill(process)
            with self._lock:
                self._running.discard(process)
        return "" if process.returncode == 0 else printed.strip() or "the process ended"


def doubted(trials: Trials, results: list[Result]) -> list[Result]:
    """Return results in which no mutant is caught by a test that fails without one too."""
    named = sorted({_function(each.by) for each in results if "::" in each.by})
    failing = set(trials.control(named)) if named else set()
    doubt = failing if failing <= set(named) else set(named)
    return [
        replace(each, outcome="doubtful") if _function(each.by) in doubt else each
        for each in results
    ]


def _inherited() -> dict[str, str]:
    """Return our environment, without what has blocks mark themselves.

    The tests of this very tool run while blocks are recorded. Modules compiled with marks would
    stay in the cache that all trials share, and each of them would fail, mutant or not.
    """
    marks = ("FEEDLINE_HITS", "FEEDLINE_RECORD")
    return {name: value for name, value in os.environ.items() if name not in marks}


def _first_failure(printed: str | None, files: list[str]) -> str:
    if printed is None:
        return f"time-out in {files[0]}" + f" or {len(files) - 1} others" * (len(files) > 1)
    found = _FAILED.search(printed)
    return found[1] if found else _last_line(printed)


def _last_line(printed: str | None) -> str:
    return "time-out" if printed is None else (printed.splitlines() or [""])[-1]


def _function(test: str) -> str:
    """Return a test without its parameters."""
    return test.split("[")[0]


def _kill(process: subprocess.Popen[str]) -> None:
    """End a process with all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
