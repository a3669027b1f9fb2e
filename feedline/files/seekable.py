"""seekable: a File as Python's own file objects are, for libraries that want those."""

from __future__ import annotations

import os
from io import RawIOBase
from typing import Any

from feedline.files.file import File

__all__ = ["SeekableFile"]


class SeekableFile(RawIOBase):
    """An open File with a place in it. Closing it leaves the File open."""

    def __init__(self, file: File) -> None:
        super().__init__()
        self._source = file
        self._at = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at}.get(whence)
        self._at = max(0, offset + (self._source.size() if base is None else base))
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer from the place on."""
        data = self._source.read(self._at, len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
