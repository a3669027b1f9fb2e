"""Python starts with this file where `tools/mutation` put it on PYTHONPATH, workers included.

The source tree is never written to. Modules of Feedline are changed on their way from their file
to the interpreter: one has its mutant in place of its text, or all say which blocks of them run.
"""

import builtins
import mmap
import os
import resource
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

__all__: list[str] = []

_ROOT = str(Path(__file__).resolve().parents[3])
_MOST_MEMORY, _LARGEST_FILE = 6 << 30, 4 << 30


def _run_mutant(path: str, mutant: str) -> None:
    """Run the text in the file `mutant` as the module that lies at `path`."""
    plain = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        if os.path.realpath(self.path) != path:
            return plain(self, fullname)
        return compile(Path(mutant).read_bytes(), self.path, "exec")

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    # A loop that does not end must not take the machine's memory, nor its disk.
    _limit(resource.RLIMIT_AS, _MOST_MEMORY)
    _limit(resource.RLIMIT_FSIZE, _LARGEST_FILE)


def _limit(what: int, wanted: int) -> None:
    _, most = resource.getrlimit(what)
    resource.setrlimit(what, (wanted if most == resource.RLIM_INFINITY else most, most))


def _mark_blocks(hits: str) -> None:
    """Have the blocks of all modules mark themselves in the file `hits`, from every process."""
    sys.path.insert(0, _ROOT)
    from tools.mutation.blocks import marked  # noqa: PLC0415

    sys.path.remove(_ROOT)
    plain = SourceFileLoader.source_to_code

    def source_to_code(self: SourceFileLoader, data: Any, path: Any, **options: Any) -> CodeType:
        changed = marked(path)
        return plain(self, data if changed is None else changed, path, **options)

    with open(hits, "r+b") as file:
        setattr(builtins, "__feedline_hits__", mmap.mmap(file.fileno(), 0))  # noqa: B010
    # Compiled files are kept under PYTHONPYCACHEPREFIX, apart from those of the plain source.
    SourceFileLoader.source_to_code = source_to_code  # type: ignore[assignment, method-assign]


if "FEEDLINE_MUTANT" in os.environ:
    _run_mutant(os.environ["FEEDLINE_MUTATED"], os.environ["FEEDLINE_MUTANT"])
if "FEEDLINE_HITS" in os.environ:
    _mark_blocks(os.environ["FEEDLINE_HITS"])
