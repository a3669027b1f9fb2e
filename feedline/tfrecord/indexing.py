"""indexing: a reader that leaves the index of a file behind when it has read all of it.

What a pass over a file finds anyway is put together; nothing is read or searched for it but the
sample that tells one content from another.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import FeedlineError
from feedline.files import is_remote, open_file
from feedline.files.paths import local_path
from feedline.kernels.tfrecord_scan import FRAME
from feedline.tfrecord.index import Bounds, index_path, store_bounds
from feedline.tfrecord.reader import RecordReader

__all__ = ["IndexingReader"]

# A shorter file is gone through at once when its index is needed; and of one with more records
# than that the index would take more memory than reading may.
_SHORTEST = 1 << 23
_MOST_RECORDS = 1 << 22


class IndexingReader(RecordReader):
    """Reads as a RecordReader does. Files that are far away or compressed get no index."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._seen: list[Bounds] | None = None
        self._seen_to = self._seen_records = 0
        self._version: tuple[int, int] | None = None

    def read(self, most: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]] | None:
        """Return the next 1 to ``most`` records, and where each begins and the last ends."""
        at = self.at
        found = super().read(most)
        if found is not None:
            offsets = found[1]
            self.see(at, offsets, frames=True)
        elif at == self.at:
            self.see_end()
        return found

    def see(self, at: int, bounds: Bounds, frames: bool = False) -> None:
        """Note where frames begin, and the last ends; the first begins at ``at``.

        If ``frames`` are to be added, the bounds are those of the records in them, anywhere.
        """
        if at == 0 and self._seen is None:
            self._begin()
        if self._seen is None:
            return
        self._seen_records += len(bounds) - 1
        if at != self._seen_to or self._seen_records > _MOST_RECORDS:
            self._seen = None  # something was left out
            self._seen_to = -1
            return
        if frames:
            first = at - int(bounds[0])
            bounds = bounds + np.arange(first, first + FRAME * len(bounds), FRAME)
        self._seen.append(bounds[:-1])
        self._seen_to = int(bounds[-1])

    def _begin(self) -> None:
        if self._compression or is_remote(self.path) or self._seen_to < 0:
            return
        version = _version(self.path)
        if version is None or version[0] < _SHORTEST or _has_index(self.path, version[1]):
            self._seen_to = -1
            return
        self._version = version
        self._seen = []

    def see_end(self) -> None:
        """Keep the index, if all of the file was seen and is still as it was."""
        seen, self._seen = self._seen, None
        if seen is None or self._version != _version(self.path):
            return
        assert self._version is not None
        if self._seen_to == self._version[0]:
            with suppress(OSError, FeedlineError), open_file(self.path) as file:
                store_bounds(file, np.concatenate([*seen, np.array([self._seen_to], np.int64)]))


def _version(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(local_path(path))
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _has_index(path: str, changed: int) -> bool:
    """Tell whether there is an index that is younger than the file."""
    try:
        return os.stat(local_path(index_path(path))).st_mtime_ns > changed
    except OSError:
        return False
