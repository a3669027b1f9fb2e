"""local: files that the operating system opens."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from io import FileIO

import numpy as np
from numpy.typing import NDArray

from feedline.errors import FileError, NotFoundError
from feedline.files.file import CHUNK, File
from feedline.files.paths import local_path
from feedline.files.read_once import check_first_read, check_not_lost
from feedline.kernels.read_rows import read_rows

__all__ = ["LocalFile"]


class LocalFile(File):
    """A file of this machine."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._number = -1
        check_not_lost(path)
        try:
            # Not os.open(): Ctrl-C may come before its number is anybody's, and a FileIO closes
            # itself, even where it strikes in a destructor.
            self._file = FileIO(local_path(path))
        except FileNotFoundError:
            raise NotFoundError(
                f"{path}: there is no such file. Check the path; relative ones start at "
                f"{os.getcwd()}."
            ) from None
        except IsADirectoryError:
            raise FileError(
                f"{path} is a folder, not a file. Name the files in it, for example with "
                "Dataset.list_files()."
            ) from None
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}.") from error
        self._number = self._file.fileno()
        about = os.fstat(self._number)
        self._is_regular = stat.S_ISREG(about.st_mode)
        self._is_begun = False
        # Files that the system makes up, as in /proc, say 0 and hold something.
        self._has_size = self._is_regular and (about.st_size > 0 or not self._next(0, 1))

    def size(self) -> int:
        """Return the number of bytes, as of now; raise FileError where only reading tells it."""
        self._check_open()
        if not self._has_size:
            what = "of no known size" if self._is_regular else "a pipe or a device"
            raise FileError(
                f"{self.path} is {what}: it can only be read once, from its beginning to its end. "
                "Copy it to a regular file first."
            )
        return os.fstat(self._number).st_size

    def read(self, offset: int, count: int) -> bytes:
        """Return ``count`` bytes from ``offset`` on: fewer only at the end of the file."""
        # A length that was read from a damaged file must not become an allocation.
        count = min(count, max(0, self.size() - offset))
        parts: list[bytes] = []
        try:
            while count > 0 and (part := os.pread(self._number, count, offset)):
                parts.append(part)
                offset += len(part)
                count -= len(part)
        except OSError as error:
            raise FileError(f"{self.path}, byte {offset}: {error.strerror}.") from error
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def read_into(self, offset: int, memory: memoryview) -> int:
        """Fill memory with what follows ``offset``; return how much: less only at the end."""
        self._check_open()
        done = 0
        try:
            while done < len(memory) and (
                count := os.preadv(self._number, [memory[done:]], offset + done)
            ):
                done += count
        except OSError as error:
            raise FileError(f"{self.path}, byte {offset}: {error.strerror}.") from error
        return done

    @property
    def is_seekable(self) -> bool:
        """Whether this is a regular file that says how long it is, not a pipe."""
        return self._has_size

    @property
    def number(self) -> int | None:
        """The number of a regular file that is open."""
        return self._number if self._has_size and self._number >= 0 else None

    def chunks(self, start: int = 0, size: int = CHUNK) -> Iterator[bytes]:
        """Yield what follows ``start``. Pipes are read too, once, from where they are."""
        self._check_open()
        if not self._is_regular and start:
            raise FileError(
                f"{self.path} is no regular file: it can only be read once, from its beginning, "
                f"not from byte {start}."
            )
        while part := self._next(start, size):
            yield part
            start += len(part)

    def _next(self, offset: int, count: int) -> bytes:
        self._check_open()
        if not self._is_regular and not self._is_begun:
            check_first_read(self.path, self._number)
            self._is_begun = True
        try:
            if self._is_regular:
                return os.pread(self._number, count, offset)
            return os.read(self._number, count)
        except OSError as error:
            raise FileError(f"{self.path}, byte {offset}: {error.strerror}.") from error

    def _read_rows(self, starts: NDArray[np.int64], row_bytes: int, out: NDArray[np.uint8]) -> int:
        self._check_open()
        return read_rows(self._number, starts, row_bytes, out)

    def close(self) -> None:
        """Let go of the file."""
        if self._number >= 0:
            self._number = -1
            self._file.close()

    def _check_open(self) -> None:
        if self._number < 0:
            raise FileError(f"{self.path}: this File was closed. Open the path again.")

    def __del__(self) -> None:
        self.close()
