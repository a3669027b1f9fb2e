"""appended: files that grow by whole pieces.

Failed   nothing of the piece is in the file, which can be gone on with; or, where that cannot be
         had (a pipe, an object store), every later call fails with the first error.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from feedline.errors import FileError

__all__ = ["Appended"]


class Appended:
    """A file that is open for writing, at its beginning.

    Args:
        file: One without a buffer of its own, if it lies on this machine.
        path: What errors call it.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryFile(buffering=0) as file:
        ...     Appended(file, "numbers").write(b"123")
        ...     file.tell()
        3
    """

    def __init__(self, file: Any, path: str) -> None:
        self._file = file
        self._path = path
        self._size = 0
        self._failure: str | None = None

    @property
    def size(self) -> int:
        """How many bytes were written."""
        return self._size

    def write(self, piece: bytes | memoryview) -> None:
        """Add a piece, or nothing."""
        with self._saying():
            try:
                self._write(memoryview(piece).cast("B"))
            except BaseException as error:
                self._undo(error)
                raise
        self._size += len(piece)

    def _write(self, left: memoryview) -> None:
        while len(left):
            count = self._file.write(left)
            # A pipe that takes nothing now says None; files with a buffer take everything.
            left = left[count or 0 :]

    def _undo(self, error: BaseException) -> None:
        try:
            self._file.truncate(self._size)
            self._file.seek(self._size)
        except Exception:
            self._failure = f"{type(error).__name__}: {error}"

    def flush(self) -> None:
        """Hand on what the file holds back."""
        with self._saying():
            self._file.flush()

    def sync(self) -> None:
        """Have everything on the disk."""
        with self._saying():
            os.fsync(self._file.fileno())

    @contextmanager
    def _saying(self) -> Iterator[None]:
        """Raise what fails here as an error that names the file, and only if it is whole."""
        if self._failure is not None:
            raise FileError(
                f"{self._path}: an earlier write failed and left a part of it behind "
                f"({self._failure}). Nothing more is written; write the file again."
            )
        try:
            yield
        except FileError:
            raise
        except OSError as error:
            found = FileError(f"{self._path} cannot be written: {error.strerror or error}.")
            found.errno = error.errno
            raise found from error

    def __enter__(self) -> Appended:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; raise if it is not whole."""
        if self._failure is not None:
            # What an object store was not told to complete never appears there.
            with suppress(Exception):
                self._file.discard()
                self._file.closed = True
            with suppress(Exception):
                self._file.close()
        with self._saying():
            self._file.close()
