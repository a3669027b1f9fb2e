"""records_ahead: runs of records that another thread reads, without Python."""

from __future__ import annotations

import os
from collections import deque

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.tfrecord_take import tfrecord_take_twin

__all__ = ["RecordsAhead", "RecordsAheadTwin"]

_LARGEST_READ = 1 << 18


class RecordsAheadTwin:
    """Runs of records, taken out of their frames. The twin reads when it is asked for them.

    Args:
        file: The number of an open file; it may be closed afterwards.
        start: Where to read on, after ``left``.
        left: The bytes before that.

    Example:
        >>> from tempfile import TemporaryFile
        >>> from feedline.kernels.tfrecord_frame import tfrecord_frame
        >>> data = tfrecord_frame(np.frombuffer(b"onetwo", np.uint8), np.array([0, 3, 6]))
        >>> window, offsets = np.zeros(64, np.uint8), np.zeros(9, np.int64)
        >>> with TemporaryFile() as file:
        ...     written = file.write(data.tobytes())
        ...     file.flush()
        ...     ahead = RecordsAhead(file.fileno(), 0, np.empty(0, np.uint8))
        >>> ahead.add(window, offsets)
        >>> ahead.finish()
        (2, 38, 38)
        >>> window[:6].tobytes(), offsets[:3].tolist()
        (b'onetwo', [0, 3, 6])
    """

    def __init__(self, file: int, start: int, left: NDArray[np.uint8]) -> None:
        self._file = os.dup(file)
        self._start = start
        self._left = left.copy()
        self._runs: deque[tuple[NDArray[np.uint8], NDArray[np.int64]]] = deque()
        self._is_over = False

    def add(self, window: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        """Have one more run read.

        Args:
            window: Written to: records come to lie at its beginning.
            offsets: Written to: where each of them begins and the last one ends.
        """
        if not len(offsets):
            raise ValueError("there must be one more offset than records")
        self._runs.append((window, offsets))

    def finish(self) -> tuple[int, int, int] | None:
        """Return how many records the next run has, where the next frame begins, what is filled.

        It ends where the offsets or the window are full, at damage, at the end of the file, or
        where it cannot be read. One that is not full is the last: those after it are empty.
        None: a process that is a copy of the one that asked for this has none.
        """
        if not self._runs:
            raise ValueError("there is no run to wait for")
        window, offsets = self._runs.popleft()
        if self._is_over or len(self._left) > len(window):
            self._is_over = True
            return 0, 0, 0
        return self._read(window, offsets)

    def _read(self, window: NDArray[np.uint8], offsets: NDArray[np.int64]) -> tuple[int, int, int]:
        count, at, stop = 0, 0, len(self._left)
        window[:stop] = self._left
        offsets[0] = 0
        while True:
            count, at, damage, needed = tfrecord_take_twin(
                window[:stop], at, window, offsets, count
            )
            if count + 1 == len(offsets) or damage or at + needed > len(window):
                break
            try:
                read = os.preadv(
                    self._file, [window.data[stop : stop + _LARGEST_READ]], self._start
                )
            except OSError:
                break
            if not read:
                break
            stop += read
            self._start += read
        self._left = window[at:stop].copy()
        self._is_over = count + 1 < len(offsets)
        return count, at, stop

    def drop(self) -> None:
        """Stop reading; what is in the windows does not matter any more."""
        self._runs.clear()
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self.drop()


RecordsAhead = RecordsAheadTwin if native is None else native.RecordsAhead
