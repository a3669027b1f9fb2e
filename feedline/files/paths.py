"""paths: what a user may give as names of files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from feedline.errors import BuildTypeError

__all__ = ["is_remote", "local_path", "paths_of"]

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*(://|::)")


def is_remote(path: str) -> bool:
    """Tell whether a path names something that this machine's file system does not hold.

    Example:
        >>> is_remote("s3://bucket/train.tfrecord"), is_remote("file:///data/train.tfrecord")
        (True, False)
    """
    return _URL.match(path) is not None and not path.startswith(("file://", "local://"))


def local_path(path: str) -> str:
    """Return a path without ``file://``."""
    for prefix in ("file://", "local://"):
        if path.startswith(prefix):
            return path.removeprefix(prefix)
    return path


def paths_of(value: Any, call: str) -> list[str]:
    """Return the names of files in ``value``: one, or any nesting of lists and arrays of them.

    Args:
        value: str, bytes, os.PathLike, or lists, tuples and arrays of those.
        call: What the user called, for the message.

    Example:
        >>> paths_of(["a", np.array([b"b", b"c"])], "TextLineDataset()")
        ['a', 'b', 'c']
    """
    return list(_paths(value, call))


def _paths(value: Any, call: str) -> Iterator[str]:
    if isinstance(value, str | bytes | os.PathLike):
        yield os.fsdecode(value)
    elif isinstance(value, np.ndarray) and (value.dtype.kind in "USOT" or value.size == 0):
        yield from _paths(value.tolist(), call)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _paths(item, call)
    else:
        raise BuildTypeError(
            f"{call}: names of files must be str, bytes, os.PathLike, or lists or arrays of them, "
            f"got {value!r} of type {type(value).__name__}."
        )
