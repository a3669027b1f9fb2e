"""atomic: files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import BinaryIO

from feedline.errors import FileError, NotFoundError
from feedline.files.paths import is_remote, local_path

__all__ = ["written_atomically"]


@contextmanager
def written_atomically(path: str, lasting: bool = True) -> Iterator[BinaryIO]:
    """Give a binary file to write to; ``path`` holds what was written once the block has ended.

    Until then, and if the block fails, what was at ``path`` before is still there. What need not
    be ``lasting`` is written sooner, and may be damaged if the machine loses power then.

    Example:
        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> with written_atomically(f"{folder.name}/numbers") as file:
        ...     _ = file.write(b"123")
        >>> os.listdir(folder.name)
        ['numbers']
        >>> folder.cleanup()
    """
    if is_remote(path):
        with import_module("feedline.files.remote").written(path) as file:
            yield file
        return
    # The file that a symbolic link names is replaced, not the link.
    final = os.path.realpath(local_path(path))
    folder, name = os.path.split(final)
    beside = os.path.join(folder, f".{name[:200]}.{os.urandom(6).hex()}.tmp")
    file = _created(beside, path)
    try:
        with file:
            yield file
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(beside, final)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    if lasting:
        _keep_name(folder)


def _created(beside: str, path: str) -> BinaryIO:
    try:
        return open(beside, "xb")
    except FileNotFoundError:
        folder = os.path.dirname(beside)
        raise NotFoundError(f"{path}: there is no folder {folder}. Make it first.") from None
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}.") from error


def _keep_name(folder: str) -> None:
    """Make the new name last, where the system allows a folder to be synced."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
