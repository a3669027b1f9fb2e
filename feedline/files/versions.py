"""versions: whether files are still those that they were, told by a few bytes.

Compared are the names, without folders, in their order; the sizes; and the times of the last
change. Of files at URLs only the names are: asking for the rest takes a request each.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from typing import Any

from feedline.errors import CheckpointError
from feedline.files.paths import is_remote, local_path

__all__ = ["check_versions", "difference", "versions"]

# How many files, or runs of files, a difference is looked for in.
_MOST_MARKS = 1000
_WHAT = ("names", "sizes", "times")

_About = tuple[str, str, str]


def versions(paths: Sequence[str]) -> dict[str, Any]:
    """Return what tells these versions of files from others, for JSON: 3 KB at most."""
    about = [_about(path) for path in paths]
    digests = {
        what: _digest(one[: number + 1] for one in about) for number, what in enumerate(_WHAT)
    }
    return {"count": len(paths), **digests, "marks": _marks(about)}


def check_versions(saved: Any, paths: Sequence[str]) -> None:
    """Raise CheckpointError if files are not those whose versions() were saved."""
    found = difference(saved, paths)
    if found is not None:
        raise CheckpointError(
            f"load_state_dict(): the state was saved with other files: {found}. If they hold the "
            "same as then, load_state_dict(state, check_files=False) goes on with them."
        )


def difference(saved: Any, paths: Sequence[str]) -> str | None:
    """Return what differs from files whose versions() were saved, None if nothing does.

    Example:
        >>> difference(versions(["a", "b"]), ["b", "a"])
        'its files are others or in another order: b is the first'
    """
    if not isinstance(saved, dict) or not isinstance(saved.get("marks"), str):
        return "what it says of files is damaged"
    if saved.get("count") != len(paths):
        return f"it was reading {saved.get('count')!r} files, and here there are {len(paths)}"
    now = versions(paths)
    if all(saved.get(what) == now[what] for what in _WHAT):
        return None
    step = _step(len(paths))
    runs = zip(saved["marks"][::2], saved["marks"][1::2], strict=False)
    marks = [first + second for first, second in runs]
    here = [now["marks"][at : at + 2] for at in range(0, len(now["marks"]), 2)]
    number = next((n for n, mark in enumerate(here) if marks[n : n + 1] != [mark]), 0)
    path = paths[number * step]
    which = path if step == 1 else f"one of the {step} files from {path} on"
    if saved.get("names") != now["names"]:
        return f"its files are others or in another order: {which} is the first"
    if saved.get("sizes") != now["sizes"]:
        return f"{which} has another size now, or is not there"
    return (
        f"{which} has the same name and size, and another time of change: it was copied, or "
        "written again"
    )


def _about(path: str) -> _About:
    name = path.rstrip("/").rpartition("/")[2]
    if is_remote(path):
        return name, "", ""
    try:
        found = os.stat(local_path(path))
    except OSError:
        return name, "", ""
    return name, str(found.st_size), str(found.st_mtime_ns)


def _step(count: int) -> int:
    return max(1, -(-count // _MOST_MARKS))


def _marks(about: Sequence[_About]) -> str:
    step = _step(len(about))
    return "".join(_digest(about[at : at + step])[:2] for at in range(0, len(about), step))


def _digest(about: Iterable[tuple[str, ...]]) -> str:
    digest = hashlib.sha256()
    for one in about:
        digest.update("\0".join(one).encode(errors="surrogateescape") + b"\n")
    return digest.hexdigest()[:16]
