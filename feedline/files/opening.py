"""opening: from the name of a file to the file, here or far away."""

from __future__ import annotations

import os
import re
from glob import glob
from importlib import import_module
from typing import Any

from feedline.errors import FileError, NotFoundError
from feedline.files.appended import Appended
from feedline.files.file import File
from feedline.files.local import LocalFile
from feedline.files.paths import is_remote, local_path
from feedline.files.read_once import is_read_once

__all__ = ["matching", "open_file", "open_seekable", "open_to_write"]


def open_file(path: str) -> File:
    """Return the file at a path or at any URL that fsspec knows."""
    file: File = _remote().RemoteFile(path) if is_remote(path) else LocalFile(path)
    return file


def open_seekable(path: str) -> File:
    """Return the same for reading any part of it; raise FileError for pipes and the like."""
    if is_read_once(path):  # whoever writes to it is not to lose a reader
        raise FileError(
            f"{path} is a pipe or a device, and the places of what is in it must be known to read "
            "it. Copy it to a regular file first."
        )
    file = open_file(path)
    try:
        file.size()
    except BaseException:
        file.close()
        raise
    return file


def open_to_write(path: str) -> Appended:
    """Return a new file at a path or URL, which replaces what was there at once."""
    if is_remote(path):
        return Appended(_remote().opened_to_write(path), path)
    try:
        return Appended(open(local_path(path), "wb", buffering=0), path)
    except FileNotFoundError:
        folder = os.path.dirname(os.path.abspath(local_path(path)))
        raise NotFoundError(f"{path}: there is no folder {folder}. Make it first.") from None
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}.") from error


def matching(pattern: str) -> list[str]:
    """Return the paths that match a pattern, sorted; none is no error.

    ``*``, ``?`` and ``[abc]`` do not match ``/``, a backslash takes the meaning of what
    follows away, and names that begin with a dot match too, all as in TensorFlow.
    """
    if is_remote(pattern):
        found: list[str] = _remote().matching(pattern)
        return sorted(found, key=_by_bytes)
    plain = local_path(pattern)
    prefix = pattern.removesuffix(plain)
    wanted = re.sub(r"(?<!\\)\[\^", "[!", plain.rstrip("/") or plain)
    wanted = re.sub(r"\\(.)", r"[\1]", wanted)
    return sorted((prefix + path for path in glob(wanted, include_hidden=True)), key=_by_bytes)


def _by_bytes(path: str) -> bytes:
    return path.encode(errors="surrogateescape")


def _remote() -> Any:
    # fsspec takes longer to load than Feedline itself.
    return import_module("feedline.files.remote")
