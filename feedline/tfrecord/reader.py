"""reader: the records of one file, run after run, through a window of bounded size.

Done       read() returns None when there is nothing more, and at every later call.
Damaged    read() raises DataLossError where a damaged record would have come. After a record
           whose length is known the next call goes on; after any other damage the file is over.
Memory     the window is as large as asked for, or as the longest record: it grows with the bytes
           that are there, never by what a length says.
Handed out what read() returns lies in the window, where the frames were: that part of it is not
           written to again.
Ahead      of a file of this machine, the run after the one handed out is read meanwhile, into a
           window of its own. What is not as expected there is read again, from where it is.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from feedline.buffers import Buffers
from feedline.errors import CheckpointError
from feedline.files import File, is_remote, open_file, unpacked
from feedline.kernel_threads import kernel_threads
from feedline.kernels.tfrecord_scan import BAD_DATA, BAD_LENGTH, FRAME, HEADER, tfrecord_scan
from feedline.kernels.tfrecord_take import tfrecord_take
from feedline.tfrecord.damage import Place
from feedline.tfrecord.runs_ahead import Records, RunsAhead

__all__ = ["RUNS_AHEAD", "WINDOW", "RecordReader", "reads_ahead"]

# How much is read at once: small enough to stay in the processor's cache until it is checked.
WINDOW = 1 << 18
# What a window may grow to before it is known that a record is that long.
_LARGE = 1 << 20
# How many bytes of records one call returns at most, unless one alone is longer.
_RUN = 3 << 20
# The first run that is read ahead is shorter, for it is waited for.
_FIRST_RUN = 1 << 19
# Runs that are shorter are not worth a thread.
_SHORT = 1 << 16
# How many runs are read ahead: one is ready while the next is read.
RUNS_AHEAD = 2
_STEP = 1 << 16
# What is kept for the windows of the next file.
_KEPT_BYTES = 1 << 25
# How many records are expected in a call before the length of any of them is known.
_FIRST = 1 << 12


def reads_ahead(path: str, compression: str) -> bool:
    """Whether runs of a file are read ahead, once it is known how long they are."""
    return not compression and not is_remote(path) and kernel_threads() > 1


class RecordReader:
    """Reads one file from any record on.

    Attributes:
        at: Where the next record begins, in the file or in what is compressed there.
        number: How many records came before.
        group: Of how many records whoever reads makes one thing; set before the first read.
        runs_ahead: How many runs are read ahead; set before the first read.
    """

    def __init__(
        self,
        path: str,
        compression: str = "",
        window: int = WINDOW,
        replays: Callable[[str], None] | None = None,
        memory: Buffers | None = None,
    ) -> None:
        self.path = path
        self.at = 0
        self.number = 0
        self.group = 1
        self.runs_ahead = RUNS_AHEAD
        self._compression = compression
        self._replays = replays
        self._least = max(window, 4096)
        self._window = np.empty(0, np.uint8)
        # What of the window is read and not yet used.
        self._start = self._stop = 0
        self._file: File | None = None
        self._chunks: Iterator[bytes] | None = None
        self._chunk = memoryview(b"")
        # For windows: one that is still used by somebody is not had again.
        self._buffers = Buffers() if memory is None else memory
        # How long the frames of the run before were; 0 before the first.
        self._mean = 0
        self._is_at_end = False
        self._is_over = False
        self._failure: Exception | None = None
        # How many records were asked for at most: the last of a group are fewer.
        self._most = 0
        # The run after this one, and what was read ahead and is not handed out yet.
        self._ahead: RunsAhead | None = None
        self._ready: Records | None = None

    def seek(self, at: int, number: int) -> None:
        """Go to a record; called before the first read."""
        self.at, self.number = at, number

    def read(self, most: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]] | None:
        """Return the next 1 to ``most`` records, and where each begins and the last ends."""
        self._most = max(self._most, most)
        if self._ready is None or self._is_begun(self._ready, most):
            self._take_ahead()
        if self._ready is not None:
            return self._use_ready(most)
        return self._read_here(most)

    def _read_here(self, asked: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]] | None:
        """Read what is asked for, or a part of it, and have more read meanwhile."""
        most = self._whole_part(asked)
        # Somewhat more than they are expected to take: it is not read if it is not needed.
        expected = most * self._mean + (most * self._mean >> 4) + FRAME
        if self._start + expected > len(self._window):
            self._move(expected)
        offsets = np.empty(most + 1, np.int64)
        offsets[0] = self._start
        count, damage, begun, first = 0, 0, self.at, self.number
        while not self._is_over:
            count, at, damage, needed = tfrecord_take(
                self._window[: self._stop], self._start, self._window, offsets, count
            )
            self.at += at - self._start
            self._start = at
            self.number = first + count
            if count == most:
                break
            if count and (damage or at + needed > len(self._window)):
                break  # the next call goes on, or meets the damage again
            if damage or not self._fill(needed, (most - count) * self._mean):
                if count:
                    break
                self._stop_at(damage, needed)
            elif not count:
                offsets[0] = self._start
        if not count:
            return None
        self._mean = (self.at - begun) // count + 1
        if not damage:
            self._begin_ahead((asked - count) % self.group)
        return self._window[: offsets[count]], offsets[: count + 1]

    def _whole_part(self, most: int) -> int:
        """Return how many records to read at once: a whole part of those that are asked for.

        Whoever wants them in groups then gets whole groups.
        """
        limit = _RUN // self._mean + 1 if self._mean else _FIRST
        if most <= limit:
            return most
        part, rest = divmod(most, -(-most // limit))
        return limit if rest else part

    # ---- ahead -------------------------------------------------------------------------

    def _begin_ahead(self, begun: int) -> None:
        """Have the next records read meanwhile, if that is worth it.

        The first ``begun`` of them end a group, and so does every run from there on.
        """
        file = self._file
        if self._chunks is not None or self._is_at_end or file is None or kernel_threads() < 2:
            return
        most = self._whole_part(self._most)
        if most * self._mean < _SHORT or file.number is None:
            return
        left = self._window[self._start : self._stop]
        self._ahead = RunsAhead(file.number, self.at + len(left), left)
        groups = max(_FIRST_RUN // self._mean // self.group, 1)
        self._add_run(self._ahead, begun + min(most, groups * self.group))
        for _ in range(self.runs_ahead - 1):
            self._add_run(self._ahead, most)

    def _add_run(self, ahead: RunsAhead, most: int) -> None:
        full = max(most, self._whole_part(self._most))
        size = full * self._mean
        begun = self.group * self._mean if self.group <= full else 0
        # In steps, and as much for a short run, so that the memory of any run does for the next.
        size = (begun + size + (size >> 4) + self._least + FRAME | _STEP - 1) + 1
        ahead.add(self._buffers.empty(size), begun, most)

    def _take_ahead(self) -> None:
        """Have the records at hand that were read meanwhile, and more read."""
        ahead, before = self._ahead, self._ready
        if ahead is None:
            return
        run = ahead.finish()
        if run is None:
            self._ahead = None
            return
        self._window, self._start, self._stop = run.window, run.start, run.stop
        if run.records is not None:
            self._mean = run.records.nbytes // run.records.length + 1
            self._ready = run.records if before is None else run.after(before)
        if run.is_full:
            self._add_run(ahead, self._whole_part(self._most))
        else:
            self._drop_ahead()

    def _is_begun(self, ready: Records | None, most: int) -> bool:
        """Whether records are the beginning of a group that can be had with the rest of it."""
        if ready is None or ready.length >= min(most, self.group):
            return False
        return self._ahead is not None and self._ahead.has_room_for(ready)

    def _use_ready(self, most: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        ready = self._ready
        assert ready is not None
        count = min(most, ready.length)
        rest = (count - most) % self.group
        # The beginning of a group is better together with its end.
        if 0 < rest < count < most and self._is_begun(ready.split(count - rest)[1], most):
            count -= rest
        found, self._ready = ready.split(count)
        self.at += ready.nbytes - (self._ready.nbytes if self._ready is not None else 0)
        self.number += count
        return found

    def _drop_ahead(self) -> None:
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            ahead.drop()

    def skip(self, count: int) -> int:
        """Go past up to ``count`` records, whose checksums are not looked at."""
        gone = 0
        if self._ready is None and self._ahead is not None and count < self._ahead.most:
            self._take_ahead()
        if self._ready is not None and count:
            gone = min(count, self._ready.length)
            self._use_ready(gone)
        if gone < count:
            self._drop_ahead()
        while gone < count and not self._is_over:
            bounds, damage, needed = tfrecord_scan(
                self._window[: self._stop], self._start, count - gone, False
            )
            if len(bounds) > 1:
                self._use(bounds)
                gone += len(bounds) - 1
            elif self._jump(needed):
                gone += 1
            elif damage or not self._fill(needed):
                if not gone:
                    self._stop_at(damage, needed)
                break  # what is wrong is met again by whoever wants the next record
        return gone

    def _jump(self, needed: int) -> bool:
        """Go past a record that is not in the window, if it is in the file."""
        if self._file is None or self._chunks is not None or needed == HEADER:
            return False
        if self._stop - self._start >= needed or self.at + needed > self._file.size():
            return False
        self.at += needed
        self.number += 1
        self._start = self._stop  # not the beginning, which may be handed out
        return True

    def _use(self, bounds: NDArray[np.int64]) -> None:
        start, stop, count = int(bounds[0]), int(bounds[-1]), len(bounds) - 1
        self._start = stop
        self.at += stop - start
        self.number += count

    def _stop_at(self, damage: int, needed: int) -> None:
        """Raise what is wrong at the next record; return at the end of the file."""
        place = Place(self.path, self.number, self.at, bool(self._compression))
        if damage == BAD_DATA:
            self._start += needed
            self.at += needed
            self.number += 1
            raise place.bad_data(needed - FRAME)
        self._is_over = True
        if damage == BAD_LENGTH:
            raise place.bad_length(self._window[self._start : self._start + HEADER].tobytes())
        if self._failure is not None:
            raise self._failure
        if left := self._left():
            raise place.truncated(left, needed)
        self.close()

    def _left(self) -> int:
        """Return how many bytes follow, as far as that is known."""
        left = self._stop - self._start
        if self._file is None or self._chunks is not None:
            return left
        return max(left, self._file.size() - self.at)

    def _fill(self, wanted: int, expected: int = 0) -> bool:
        """Have more of the file in the window; return whether there was more.

        A failure is kept until the records before it are used.

        Args:
            wanted: How many bytes are needed from the beginning of the next frame on.
            expected: How many more are likely to be needed soon.
        """
        if self._is_at_end:
            return False
        try:
            if self._file is None:
                self._open()
            if wanted > _LARGE and self._chunks is None and wanted > self._left():
                return False  # found out without reading up to the end
            self._make_room(wanted)
            # A little more than expected costs less than another call.
            size = min(max(expected, self._least >> 2, wanted), self._least)
            if self._chunks is None:
                size = max(size, wanted - (self._stop - self._start))
            count = self._read_into(self._window.data[self._stop : self._stop + size])
        except Exception as error:
            self._failure, count = error, 0
        self._stop += count
        self._is_at_end = not count
        return count > 0

    def _make_room(self, wanted: int) -> None:
        """Have room in the window for ``wanted`` bytes, or for as many as are likely to come.

        The file has them, if it says how long it is. What comes out of a stream may be doubled:
        more becomes memory only when it has come, and every byte is moved a few times at most.
        """
        if self._start + wanted <= len(self._window):
            return
        if self._chunks is None and wanted > _LARGE:
            self._move(wanted)
        elif len(self._window) - self._stop < self._least >> 2:
            self._move(min(wanted, max(2 * (self._stop - self._start), _LARGE)))

    def _move(self, size: int) -> None:
        """Have what is not used yet in another window, at its beginning."""
        window = self._buffers.empty(max(self._least, size))
        left = self._stop - self._start
        window[:left] = self._window[self._start : self._stop]
        self._window, self._start, self._stop = window, 0, left

    def _read_into(self, memory: memoryview) -> int:
        if self._chunks is None:
            assert self._file is not None
            return self._file.read_into(self.at + self._stop - self._start, memory)
        while not self._chunk:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._chunk = memoryview(chunk)
        count = min(len(memory), len(self._chunk))
        memory[:count] = self._chunk[:count]
        self._chunk = self._chunk[count:]
        return count

    def _open(self) -> None:
        file = self._file = open_file(self.path)
        if self._compression:
            raw = file.chunks(0, self._least)
            self._chunks = unpacked(raw, self._compression, self.path, self._least)
            self._replay()
            return
        if self.at and self.at > file.size():
            raise CheckpointError(
                f"{self.path}: the file has {file.size()} bytes, but {self.at} were read when the "
                "state was saved. It must be the same file."
            )
        # Reading ahead hides the way to a server.
        if not file.is_seekable or is_remote(self.path):
            self._chunks = file.chunks(self.at, self._least)

    def _replay(self) -> None:
        if self.at and self._replays is not None:
            self._replays(
                "a compressed file cannot be entered in the middle, so "
                f"{self.path} is unpacked again from its start to where reading goes on. "
                "Files that are not compressed are entered at once."
            )
        left = self.at
        while left:
            scratch = memoryview(bytearray(min(left, self._least)))
            count = self._read_into(scratch)
            if not count:
                raise CheckpointError(
                    f"{self.path}: the file ends after {self.at - left} bytes, but {self.at} were "
                    "read when the state was saved. It must be the same file."
                )
            left -= count

    def close(self) -> None:
        """Let go of the file; nothing is read afterwards."""
        self._is_over = True
        self._drop_ahead()
        self._ready = None
        chunks, self._chunks = self._chunks, None
        file, self._file = self._file, None
        self._window = np.empty(0, np.uint8)
        self._start = self._stop = 0
        self._buffers.trim(_KEPT_BYTES)
        if chunks is not None:
            with suppress(AttributeError):
                chunks.close()  # type: ignore[attr-defined]  # a generator's
        if file is not None:
            file.close()
