"""runs_ahead: runs of records that are read while the one before them is used."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.records_ahead import RecordsAhead
from feedline.kernels.tfrecord_scan import FRAME

__all__ = ["Records", "Run", "RunsAhead"]


@dataclass(frozen=True, slots=True)
class Records:
    """At least one record, in one piece of memory; where each begins and the last ends."""

    window: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @property
    def length(self) -> int:
        """How many there are."""
        return len(self.offsets) - 1

    @property
    def nbytes(self) -> int:
        """How many bytes they take in the file."""
        return self.offsets.item(-1) - self.offsets.item(0) + self.length * FRAME

    def split(
        self, count: int
    ) -> tuple[tuple[NDArray[np.uint8], NDArray[np.int64]], Records | None]:
        """Return some of them, and the others."""
        offsets = self.offsets[: count + 1]
        rest = None if count == self.length else Records(self.window, self.offsets[count:])
        return (self.window[: offsets[-1]], offsets), rest


@dataclass(frozen=True, slots=True)
class Run:
    """A run that was read.

    Attributes:
        window: Where it lies.
        begun: Where it begins there: before it is room for records that are handed out with it.
        records: None if there are none.
        is_full: Whether there are as many as there may be: more may follow.
        start: Where in the window what was read beyond them begins, and ``stop`` where it ends.
    """

    window: NDArray[np.uint8]
    begun: int
    records: Records | None
    is_full: bool
    start: int
    stop: int

    def after(self, before: Records) -> Records:
        """Return its records after some from before it, for which there must be room."""
        assert self.records is not None
        first, last = before.offsets.item(0), before.offsets.item(-1)
        begun = self.begun - (last - first)
        self.window[begun : self.begun] = before.window[first:last]
        offsets = np.concatenate([before.offsets[:-1] + (begun - first), self.records.offsets])
        return Records(self.window, offsets)


class RunsAhead:
    """The runs after the one in hand.

    Args:
        file: The number of the file.
        at: The first byte of it that is not in ``left``.
        left: What of the file comes first.
    """

    def __init__(self, file: int, at: int, left: NDArray[np.uint8]) -> None:
        self._reading = RecordsAhead(file, at, left)
        # The windows of those that are read, where they begin there, and where records will.
        self._runs: deque[tuple[NDArray[np.uint8], int, NDArray[np.int64]]] = deque()

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def most(self) -> int:
        """How many records the next run may have."""
        return len(self._runs[0][2]) - 1

    def add(self, window: NDArray[np.uint8], begun: int, most: int) -> None:
        """Have one more run read, of up to ``most`` records."""
        offsets = np.empty(most + 1, np.int64)
        self._reading.add(window[begun:], offsets)
        self._runs.append((window, begun, offsets))

    def finish(self) -> Run | None:
        """Wait for the next run; None if it was read in another process."""
        window, begun, offsets = self._runs.popleft()
        found = self._reading.finish()
        if found is None:
            return None
        count, start, stop = found
        records = None
        is_full = count + 1 == len(offsets)
        if count:
            offsets = offsets[: count + 1]
            offsets += begun
            records = Records(window, offsets)
        return Run(window, begun, records, is_full, start + begun, stop + begun)

    def has_room_for(self, before: Records) -> bool:
        """Whether some records fit before the next run."""
        return before.offsets.item(-1) - before.offsets.item(0) <= self._runs[0][1]

    def drop(self) -> None:
        """Stop reading."""
        self._reading.drop()
