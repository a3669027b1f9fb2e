"""strided: every n-th record of a file, without a copy or a check of those in between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.tfrecord_records import tfrecord_check, tfrecord_records
from feedline.kernels.tfrecord_scan import BAD_DATA, FRAME, tfrecord_scan
from feedline.tfrecord.indexing import IndexingReader

__all__ = ["StridedReader"]

# What is read at once at most, unless a record is longer.
_LARGE = 1 << 20

Numbers = NDArray[np.int64]


class StridedReader(IndexingReader):
    """Reads one file from any record on. A damaged record counts as one."""

    # How long the frames of the run before were.
    _frame = FRAME

    def read_every(
        self, step: int, ahead: int, most: int
    ) -> tuple[NDArray[np.uint8], Numbers, Numbers] | None:
        """Return the records after ``ahead`` others and after every ``step`` from there.

        Returns:
            1 to ``most`` records, where each begins and the last ends, and their numbers in the
            file; None at its end. The reader stands after the last one at least.
        """
        while not self._is_over:
            span = ahead + (most - 1) * step + 1
            wanted = min((span + 1) * self._frame, _LARGE)
            if self._stop - self._start < wanted:
                self._fill(wanted)
            bounds, damage, needed = tfrecord_scan(
                self._window[: self._stop], self._start, span, False
            )
            if len(bounds) > 1:
                mine = np.arange(ahead, len(bounds) - 1, step)
                if len(mine):
                    return self._taken(bounds, mine)
                ahead -= len(bounds) - 1
                self._pass(bounds)
            elif ahead and not damage and self._passes_over(needed):
                ahead -= 1
            elif damage or not self._fill(needed):
                self._stop_at(damage, needed)
                self.see_end()
        return None

    def _taken(self, bounds: Numbers, mine: Numbers) -> tuple[NDArray[np.uint8], Numbers, Numbers]:
        starts, stops = bounds[mine], bounds[mine + 1]
        damaged = tfrecord_check(self._window[: self._stop], starts, stops)
        if damaged == 0:
            self._pass(bounds[: mine[0] + 1])
            self.see(-1, bounds[:1])
            self._stop_at(BAD_DATA, int(stops[0] - starts[0]))
        if damaged > 0:  # the next call meets it
            starts, stops, mine = starts[:damaged], stops[:damaged], mine[:damaged]
            bounds = bounds[: mine[-1] + 2]
        data, offsets = tfrecord_records(self._window, starts, stops)
        numbers = self.number + mine
        self._pass(bounds)
        return data, offsets, numbers

    def _pass(self, bounds: Numbers) -> None:
        if len(bounds) > 1:
            self.see(self.at, bounds + (self.at - int(bounds[0])))
            self._use(bounds)
            self._frame = max(FRAME, int(bounds[-1] - bounds[0]) // (len(bounds) - 1))

    def _passes_over(self, needed: int) -> bool:
        at = self.at
        if needed < FRAME or not self._jump(needed):
            return False
        self.see(at, np.array([at, self.at], np.int64))
        return True
