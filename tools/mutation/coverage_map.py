"""Which test files run which block: recorded once, then read for every mutant."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.mutation.blocks import ROOT, blocks_of, numbers, sources
from tools.mutation.mutants import Mutant

__all__ = ["CoverageMap", "record"]

# How many test files are recorded before what was found is kept.
_AT_A_TIME = 60
KEPT = ROOT / "build" / "mutation" / "map.json"
OVERLAY = Path(__file__).with_name("overlay")

# pytest rewrites the files that it is told to run, and would read a module with examples itself,
# past the overlay: neither marked nor mutated.
PLAIN = "--assert=plain"


class CoverageMap:
    """Test files by the blocks that they run."""

    def __init__(self, files: dict[str, dict[str, Any]]) -> None:
        usable = {name: found for name, found in files.items() if "failed" not in found}
        self.seconds = {name: float(found["seconds"]) for name, found in usable.items()}
        self.failing = sorted(set(files) - set(usable))
        self._blocks = {name: set(found["blocks"]) for name, found in usable.items()}

    @classmethod
    def load(cls) -> "CoverageMap":
        """Read the map of the source as it is; record what of it is missing."""
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        source = _digest(*sources())
        files = kept["files"] if kept.get("source") == source else {}
        tests = {str(path.relative_to(ROOT)): _digest(path) for path in _test_files()}
        stale = [name for name, digest in tests.items() if _is_stale(files.get(name), digest)]
        files = {name: files[name] for name in tests if name in files}
        for part in _batched(stale, _AT_A_TIME):
            files |= record(list(part))
            for name in part:  # one that has no test is not recorded again
                found = files.setdefault(name, {"seconds": 0.0, "blocks": []})
                found["digest"] = tests[name]
            _keep(source, files)  # who is stopped goes on here
        if any("failed" in found and not found.get("doubted") for found in files.values()):
            _forgive(files)
            _keep(source, files)
        return cls(files)

    def tests_for(self, mutant: Mutant) -> list[str]:
        """Return the test files that could catch a mutant: the most likely, then the fastest."""
        path = str(mutant.path.relative_to(ROOT))
        number = _block_of(mutant)
        first = numbers()[str(mutant.path)]
        every = range(first, first + len(blocks_of(mutant.path)))
        # What runs once, as a module is imported, matters wherever the module is used.
        wanted = set(every) if number is None else {number}
        folder, name = os.path.split(path.removeprefix("feedline/"))
        mirror = os.path.join("tests", folder, f"test_{name}")

        def rank(test: str) -> tuple[bool, bool, bool, float]:
            near = os.path.dirname(test) == os.path.dirname(mirror)
            return test != mirror, test != path, not near, self.seconds[test]

        runs = [test for test, blocks in self._blocks.items() if blocks & wanted]
        if mirror in self.seconds and mirror not in runs:
            runs.append(mirror)
        return sorted(runs, key=rank)


def record(tests: list[str]) -> dict[str, dict[str, Any]]:
    """Run test files with marked blocks; return what each of them runs."""
    with tempfile.TemporaryDirectory(prefix="feedline-mutation-") as folder:
        hits, found = Path(folder, "hits"), Path(folder, "found.json")
        hits.write_bytes(bytes(numbers()[""]))
        environment = {
            "FEEDLINE_HITS": str(hits),
            "FEEDLINE_RECORD": str(found),
            "PYTHONPATH": str(OVERLAY),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(Path(folder, "pycache")),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(Path(folder, "hypothesis")),
        }
        command = [sys.executable, "-m", "pytest", "--quiet", "-p", "tools.mutation.recorder"]
        command += [PLAIN, f"--basetemp={folder}/pytest", "-p", "no:cacheprovider", *tests]
        subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=False)
        return dict(json.loads(found.read_text()))


def _keep(source: str, files: dict[str, dict[str, Any]]) -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps({"source": source, "files": files}))


def _batched(names: list[str], size: int) -> Iterator[list[str]]:
    """Yield names, some at a time."""
    for start in range(0, len(names), size):
        yield names[start : start + size]


def _forgive(files: dict[str, dict[str, Any]]) -> None:
    """Keep the tests that fail only because blocks are marked, say at the end of a process."""
    for name in [name for name, found in files.items() if "failed" in found]:
        files[name]["doubted"] = True
        command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", name]
        if subprocess.run(command, cwd=ROOT, check=False).returncode == 0:
            del files[name]["failed"]


def _test_files() -> list[Path]:
    tests = list((ROOT / "tests").rglob("test_*.py"))
    examples = [path for path in sources() if b">>> " in path.read_bytes()]
    return sorted(tests + examples)


def _is_stale(found: dict[str, Any] | None, digest: str) -> bool:
    return found is None or found.get("digest") != digest


def _digest(*paths: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def _block_of(mutant: Mutant) -> int | None:
    """Return the number of the innermost block that a mutant changes; None outside functions."""
    around = [
        (last - first, number)
        for number, (first, last) in enumerate(blocks_of(mutant.path))
        if first <= mutant.line <= last
    ]
    return numbers()[str(mutant.path)] + min(around)[1] if around else None
