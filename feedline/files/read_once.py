"""read_once: pipes and devices, whose bytes are gone once they were read.

How long they are is not known before. Files that the system makes up as they are read, such as
those in /proc, do not say it either, but can be read again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from feedline.errors import FileError
from feedline.files.paths import is_remote, local_path

__all__ = [
    "check_can_be_sent",
    "check_first_read",
    "check_not_lost",
    "check_read_again",
    "is_read_once",
    "is_stream",
    "only_looking",
]

_LOOKS: ContextVar[bool] = ContextVar("feedline_only_looks", default=False)
# Pipes without a name that were read in this process: their numbers are not used again.
_READ: set[str] = set()
_OWN = ("/dev/fd/", "/dev/stdin", "/proc/self/", "/proc/thread-self/")


def is_read_once(path: str) -> bool:
    """Tell whether a path names a pipe or a device, without opening it."""
    if is_remote(path):
        return False
    try:
        mode = os.stat(local_path(path)).st_mode
    except (OSError, ValueError):
        return False  # opening it says what is wrong
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def is_stream(path: str) -> bool:
    """Tell whether a file of this machine must be read to its end to know how long it is.

    Example:
        >>> is_stream("/proc/self/status"), is_stream("/dev/zero"), is_stream(__file__)
        (True, True, False)
    """
    if is_remote(path):
        return False
    try:
        about = os.stat(local_path(path))
        if about.st_size or stat.S_ISDIR(about.st_mode):
            return False
        if not stat.S_ISREG(about.st_mode):
            return True
        with open(local_path(path), "rb", buffering=0) as file:
            return file.read(1) != b""
    except (OSError, ValueError):
        return False


@contextmanager
def only_looking() -> Iterator[None]:
    """Refuse pipes inside: what is read there is read again later."""
    token = _LOOKS.set(True)
    try:
        yield
    finally:
        _LOOKS.reset(token)


def check_not_lost(path: str) -> None:
    """Raise FileError if bytes of a pipe would be lost, because this is only a look at them."""
    if _LOOKS.get():
        check_read_again(
            path,
            "looking at what it holds would lose that. Declare what the elements are "
            "(element_spec, or an output_signature), or copy",
        )


def check_read_again(path: str, then: str) -> None:
    """Raise FileError for what can be read once, where it would be read a second time.

    Args:
        path: The file.
        then: What would happen, and what to do, up to "copy".
    """
    if is_read_once(path):
        raise FileError(
            f"{path} is a pipe or a device, which can only be read once: {then} it to a regular "
            "file first."
        )


def check_first_read(path: str, number: int) -> None:
    """Raise FileError if an open pipe was read before: the rest of it is not the whole.

    One with a name is not meant: whoever opens it again waits for another writer.
    """
    try:
        name = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return  # not Linux
    if not name.startswith("pipe:"):
        return
    if name in _READ:
        raise FileError(
            f"{path} is a pipe that was read before, and can only be read once. Copy it to a "
            "regular file first; or keep the elements with cache() to iterate again."
        )
    _READ.add(name)


def check_can_be_sent(path: str) -> None:
    """Raise FileError for a name that means something else in every process."""
    if local_path(path).startswith(_OWN):
        raise FileError(
            f"{path} is a file that this process holds open: a process in the background cannot "
            "read it. Use another Options.executor, or copy it to a regular file first."
        )
