"""One mutant against the tests that could catch it, until the first that does."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from tools.mutation.blocks import ROOT
from tools.mutation.coverage_map import KEPT, OVERLAY, PLAIN, CoverageMap
from tools.mutation.mutants import Mutant

__all__ = ["Result", "Trials"]

_FIRST_BATCH = 15.0
_STARTING = 60.0
_PATIENCE = 6.0  # how much slower than recorded tests may be before they hang


@dataclass(frozen=True)
class Result:
    """What became of a mutant."""

    mutant: Mutant
    outcome: str
    """caught, survived, or not run by any test."""

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
                caught = self._run(mutant, text, batch, _STARTING + _PATIENCE * seconds)
                if caught:
                    return Result(mutant, "caught", caught, spent)
                spent += seconds
        return Result(mutant, "stopped" if self._stopped else "survived", seconds=spent)

    def stop(self) -> None:
        """End the tests that run."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

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

    def _run(self, mutant: Mutant, text: Path, files: list[str], seconds: float) -> str:
        folder = text.parent
        environment = {
            "FEEDLINE_MUTATED": os.path.realpath(mutant.path),
            "FEEDLINE_MUTANT": str(text),
            "PYTHONPATH": str(OVERLAY),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(KEPT.with_name("pycache")),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
        }
        command = [sys.executable, "-m", "pytest", "--exitfirst", "--quiet", "--tb=no", PLAIN]
        command += ["-p", "tools.mutation.no_shrinking", "-p", "no:cacheprovider"]
        command += ["--hypothesis-seed=0", f"--basetemp={folder / 'pytest'}", "-rfE", *files]
        with self._lock:
            if self._stopped:
                return ""
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **environment},
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
            return f"time-out in {files[0]}" + f" or {len(files) - 1} others" * (len(files) > 1)
        finally:
            _kill(process)
            with self._lock:
                self._running.discard(process)
        return "" if process.returncode == 0 or self._stopped else _first_failure(printed)


def _first_failure(printed: str) -> str:
    found = re.search(r"^(?:FAILED|ERROR) ([^\n]*?)(?: - .*)?$", printed, re.MULTILINE)
    last = printed.strip().splitlines()[-1:] or ["the process ended"]
    return found[1] if found else last[0]


def _kill(process: subprocess.Popen[str]) -> None:
    """End a process with all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
