"""whole_files: files read and written as a whole, and found by a pattern."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError
from feedline.files import is_remote, matching, open_file, paths_of, written_atomically
from feedline.files.paths import local_path
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf_spec import TensorSpec, string

__all__ = ["matching_files", "read_file", "write_file"]


def matching_files(pattern: Any, name: str | None = None) -> NDArray[Any]:
    """Return the names of the files that match a pattern or one of several, sorted.

    ``*``, ``?`` and ``[...]`` stand for parts of a name, not for ``/``.

    Args:
        pattern: A pattern, or a list of them.
        name: Has no effect.

    Example:
        >>> matching_files("/no/such/folder/*").tolist()
        []
    """
    if getattr(pattern, "ndim", 0) > 1:
        raise BuildError(
            f"matching_files(): pattern must be one or a list of them, got shape {pattern.shape}."
        )
    patterns = paths_of(pattern, "matching_files()")
    found = sorted((path for each in patterns for path in matching(each)), key=os.fsencode)
    array = np.empty(len(found), object)
    array[:] = found
    return array


def _text_spec(_filename: Any, _name: str | None = None) -> TensorSpec:
    return TensorSpec((), string)


@leaf_operation(spec=_text_spec)
def read_file(filename: Any, name: str | None = None) -> bytes:
    """Return what a file holds.

    Args:
        filename: A path, or a URL that fsspec knows.
        name: Has no effect.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write_file(f"{folder}/new/file", b"abc")
        ...     read_file(f"{folder}/new/file")
        b'abc'
    """
    with open_file(_one("read_file()", filename)) as file:
        return b"".join(file.chunks())


def write_file(filename: Any, contents: Any, name: str | None = None) -> None:
    """Write a file, all or nothing, and make the folders it lies in.

    Args:
        filename: A path, or a URL that fsspec knows.
        contents: bytes, or str, which is written as UTF-8.
        name: Has no effect.
    """
    path = _one("write_file()", filename)
    if isinstance(contents, np.ndarray) and contents.shape == ():
        contents = contents.item()
    data = contents.encode() if isinstance(contents, str) else contents
    if not isinstance(data, bytes):
        raise BuildTypeError(
            "write_file(): contents must be bytes or str, got "
            f"{contents!r} of type {type(contents).__name__}."
        )
    if not is_remote(path):
        os.makedirs(os.path.dirname(local_path(path)) or ".", exist_ok=True)
    with written_atomically(path) as file:
        file.write(data)


def _one(call: str, filename: Any) -> str:
    if isinstance(filename, np.ndarray) and filename.shape == ():
        filename = filename.item()
    if isinstance(filename, (str, bytes, os.PathLike)):
        return os.fsdecode(filename)
    raise BuildTypeError(
        f"{call}: filename must be the name of one file, got {filename!r} of type "
        f"{type(filename).__name__}."
    )
