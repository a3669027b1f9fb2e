"""shards: records written to several files that appear together when all are complete.

Which records a file holds depends on the records and the settings alone, not on the runs in which
they come. While they are written, the files lie in a folder of their own: beside the place where
they will be, or, for places that are no folders of this machine, in the cache folder.
Failed   nothing has changed at the place, and the folder is gone; or it is kept with the files
         that are complete, if a later call is to go on with them.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.files import is_remote, matching, open_to_write, written_atomically
from feedline.files.appended import Appended
from feedline.files.paths import local_path
from feedline.kernels.tfrecord_scan import FRAME
from feedline.tfrecord.options import TFRecordOptions
from feedline.tfrecord.shard_folder import ShardFolder
from feedline.tfrecord.writer import FrameWriter

__all__ = ["ShardWriter"]

# Records are handed on in runs of about this size, so that no shard is much too long.
_RUN = 1 << 20

Data = NDArray[np.uint8]
Offsets = NDArray[np.int64]


class ShardWriter:
    """Writes records to ``path-00000-of-00003.tfrecord`` and so on.

    Args:
        path: The beginning of the names.
        shard_bytes: A shard that has reached this size is the last but for the next one.
        options: How the files are compressed.
        overwrite: Whether files of an earlier call may be replaced.
        resume: Whether to go on after the last complete file of a call that was stopped, and to
            keep what is complete for the next call if this one is.

    Attributes:
        keeps: Whether it keeps what is complete.
        last_mark: What add_run() was told where the last complete file ends, and how many
            records of that run are in it; None if there is no such file.
    """

    def __init__(
        self,
        path: str,
        shard_bytes: int,
        options: TFRecordOptions,
        overwrite: bool,
        resume: bool = False,
    ) -> None:
        self.keeps = resume
        self._path = path
        self._shard_bytes = shard_bytes
        self._options = options
        self._is_packed = options.packer() is not None
        self._file: Appended | None = None
        self._frames: FrameWriter | None = None
        # What waits until it is a whole run, and how long that will be.
        self._parts: list[tuple[Data, Offsets]] = []
        self._gathered = self._wanted = 0
        self._is_done = False
        old = matching(f"{_escaped(path)}-[0-9]*-of-[0-9]*.tfrecord")
        settings = {"shard_bytes": shard_bytes, **asdict(options)}
        self._folder = ShardFolder(path, settings, overwrite, resume)
        progress = self._folder.progress
        self._sizes: list[int] = progress.get("sizes", [])
        # All are complete, and were being put in their place.
        self._names = self._names_of(len(self._sizes)) if progress.get("names") else []
        # No path that a file holds is followed: it says which of the files found here are meant.
        known = set(map(_last, progress.get("old", old)))
        self._old = [path for path in old if _last(path) in known]
        self.last_mark: tuple[Any, int] | None = None
        if progress and not self._names:
            self.last_mark = progress["mark"], progress["used"]
        if old and not overwrite and not self._names:
            self._folder.close(is_done=False)
            raise BuildError(
                f"save_tfrecord(): {old[0]} is there already. Give overwrite=True to replace "
                f"what an earlier call wrote to {path}, or another path."
            )

    @property
    def is_complete(self) -> bool:
        """Whether a call that was stopped had written everything already."""
        return bool(self._names)

    @property
    def num_shards(self) -> int:
        """How many files were begun."""
        return len(self._sizes) + (self._frames is not None)

    def add_run(self, data: Data, offsets: Offsets, mark: Any = None) -> None:
        """Write many records, one after the other in ``data``.

        Args:
            data: The records.
            offsets: Where each begins, and the last ends.
            mark: What says, for JSON, where these records come from.
        """
        places = offsets + FRAME * np.arange(len(offsets))
        first = 0
        while first < len(offsets) - 1:
            frames = self._open_frames()
            if not self._wanted:
                self._wanted = max(min(self._shard_bytes - frames.written, _RUN), 1)
            # All that begin in what is left of the run, and one at least.
            left = max(self._wanted - self._gathered, 1)
            end = int(np.searchsorted(places, places[first] + left))
            last = min(max(end, first + 1), len(offsets) - 1)
            self._parts.append((data, offsets[first : last + 1]))
            self._gathered += int(places[last] - places[first])
            if self._gathered >= self._wanted or not self._is_packed:
                # What is not packed is the same in whatever runs it is written.
                self._write_run(frames)
            first = last
            if frames.written >= self._shard_bytes:
                self._end_shard()
                self.last_mark = mark, last
                self._folder.note({"sizes": self._sizes, "mark": mark, "used": last})

    def _write_run(self, frames: FrameWriter) -> None:
        parts, self._parts = self._parts, []
        self._gathered = self._wanted = 0
        if parts:
            frames.add_run(*_joined(parts))

    def _open_frames(self) -> FrameWriter:
        if self._frames is None:
            path = self._folder.file(len(self._sizes))
            self._file = open_to_write(path)
            self._frames = FrameWriter(self._file, self._options)
        return self._frames

    def _end_shard(self) -> None:
        frames, file = self._frames, self._file
        if frames is not None and file is not None:
            self._write_run(frames)
            frames.finish()
            file.sync()
            file.close()
            self._sizes = [*self._sizes, file.size]
        self._file = self._frames = None

    def _names_of(self, count: int) -> list[str]:
        return [f"{self._path}-{number:05}-of-{count:05}.tfrecord" for number in range(count)]

    def publish(self) -> list[str]:
        """Put all files in their place and return their names; there is at least one."""
        if not self._names:
            if not self._sizes:
                self._open_frames()
            self._end_shard()
            self._names = self._names_of(len(self._sizes))
            noted = {"names": [*map(_last, self._names)], "old": [*map(_last, self._old)]}
            self._folder.note({"sizes": self._sizes, **noted})
        for number, name in enumerate(self._names):
            made = self._folder.file(number)
            if not os.path.exists(made):
                continue  # done before this process began
            if is_remote(name):
                with open(made, "rb") as source, written_atomically(name) as target:
                    shutil.copyfileobj(source, target, _RUN)
                os.unlink(made)
            else:
                os.replace(made, local_path(name))
        for old in self._old:
            if old not in self._names and not is_remote(old):
                with suppress(FileNotFoundError):
                    os.unlink(local_path(old))
        self._is_done = True
        return self._names

    def close(self) -> None:
        """Remove what was not put in its place, or keep it for the next call."""
        if self._file is not None:
            self._file.close()
        self._folder.close(self._is_done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _joined(parts: list[tuple[Data, Offsets]]) -> tuple[Data, Offsets]:
    """Return runs of records as one run."""
    if len(parts) == 1:
        return parts[0]
    lengths = np.concatenate([np.diff(offsets) for _, offsets in parts])
    data = np.concatenate([data[offsets[0] : offsets[-1]] for data, offsets in parts])
    return data, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _escaped(path: str) -> str:
    return "".join(f"\\{c}" if c in "*?[\\" else c for c in path)
