"""shared_memory: memory that two processes see, which nobody can leave behind.

It has no name: whoever is to see it gets an open file, and the system frees it when the
last of them has ended, however that came about. All of it is set aside when it is made: a
system that has not enough says so there, rather than when it is written to.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["SharedMemory"]

_FOLDER = "/dev/shm"
_AT_A_TIME = 1 << 20


class SharedMemory:
    """Some bytes that were set aside, mapped into this process."""

    def __init__(self, fd: int, size: int) -> None:
        self.size = size
        self._fd: int | None = fd
        self._map = mmap.mmap(fd, size)
        self.array: NDArray[np.uint8] = np.frombuffer(self._map, np.uint8)

    @staticmethod
    def make(size: int) -> SharedMemory:
        """Return new memory; raises OSError if there is not enough."""
        fd = _open_without_name()
        try:
            _set_aside(fd, size)
            return SharedMemory(fd, size)
        except BaseException:
            os.close(fd)
            raise

    @property
    def fd(self) -> int:
        """The open file, as long as nobody else got it."""
        assert self._fd is not None
        return self._fd

    def close_file(self) -> None:
        """Close the file: the memory stays."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def close(self) -> None:
        """Give the memory back, if the other process does."""
        self.close_file()
        self.array = np.empty(0, np.uint8)
        self._map.close()


def _open_without_name() -> int:
    if hasattr(os, "memfd_create"):
        # Not limited by the size of /dev/shm, which containers make small.
        return os.memfd_create(f"feedline-{os.getpid()}", os.MFD_CLOEXEC)
    folder = _FOLDER if os.path.isdir(_FOLDER) else None
    with tempfile.TemporaryFile(prefix=f"feedline-{os.getpid()}-", dir=folder) as file:
        return os.dup(file.fileno())


def _set_aside(fd: int, size: int) -> None:
    allocate: Any = getattr(os, "posix_fallocate", None)
    if allocate is not None:
        allocate(fd, 0, size)
        return
    nothing = bytes(_AT_A_TIME)  # not on every system: writing does it as well
    for start in range(0, size, _AT_A_TIME):
        os.pwrite(fd, nothing[: size - start], start)
