"""remote_tree: folders at URLs, through fsspec. Loaded when the first one is asked about.

Every function is that of the same name in feedline.io.gfile; what the file system raises is
named there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import fsspec

from feedline.errors import FileError
from feedline.files.retrying import retried

__all__ = ["copy", "exists", "info", "isdir", "listdir", "makedirs", "mkdir", "opened", "remove"]
__all__ += ["rename", "rmtree"]

T = TypeVar("T")


def _system(path: str) -> tuple[Any, str]:
    try:
        system, inner = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise FileError(f"{path} cannot be opened: {error}") from error
    # Listings are kept by some: what another process wrote would not be seen.
    system.invalidate_cache()
    return system, inner


def _asked(path: str, question: Callable[[Any, str], T]) -> T:
    system, inner = _system(path)
    return retried(lambda: question(system, inner), path)


def exists(path: str) -> bool:
    """Whether there is something at a URL."""
    return bool(_asked(path, lambda system, inner: system.exists(inner)))


def isdir(path: str) -> bool:
    """Whether there is a folder."""
    return bool(_asked(path, lambda system, inner: system.isdir(inner)))


def listdir(path: str) -> list[str]:
    """Return the names in a folder."""

    def names(system: Any, inner: str) -> list[str]:
        if not system.isdir(inner):
            raise FileNotFoundError(inner)
        found = system.ls(inner, detail=False)
        return [str(name).rstrip("/").rpartition("/")[2] for name in found]

    return _asked(path, names)


def info(path: str) -> dict[str, Any]:
    """Return what fsspec says of a file or folder."""
    return dict(_asked(path, lambda system, inner: system.info(inner)))


def mkdir(path: str) -> None:
    """Make a folder."""
    _asked(path, lambda system, inner: system.mkdir(inner, create_parents=False))


def makedirs(path: str) -> None:
    """Make a folder and those above it."""
    _asked(path, lambda system, inner: system.makedirs(inner, exist_ok=True))


def remove(path: str) -> None:
    """Remove a file."""
    _asked(path, lambda system, inner: system.rm_file(inner))


def rmtree(path: str) -> None:
    """Remove a folder and all in it."""
    _asked(path, lambda system, inner: system.rm(inner, recursive=True))


def copy(src: str, dst: str) -> None:
    """Copy a file, which may be on another file system."""
    with opened(src, "rb") as source, opened(dst, "wb") as target:
        while part := source.read(1 << 20):
            target.write(part)


def rename(src: str, dst: str) -> None:
    """Move a file or folder within a file system."""
    system, inner = _system(src)
    other, target = _system(dst)
    if type(system) is not type(other):
        raise FileError(f"{src} and {dst} are on different file systems. Copy the file instead.")
    retried(lambda: system.mv(inner, target, recursive=True), src)


def opened(path: str, mode: str) -> Any:
    """Return an open binary file."""
    return _asked(path, lambda system, inner: system.open(inner, mode))
