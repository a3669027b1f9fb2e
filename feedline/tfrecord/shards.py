"""shards: records written to several files that appear together when all are complete.

While they are written, the files lie in a folder of their own: beside the place where they will
be, or, for places that are no folders of this machine, in a temporary one.
Failed   nothing has changed at the place, and the folder is gone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from types import TracebackType
from typing import BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, FileError, NotFoundError
from feedline.files import is_remote, matching, written_atomically
from feedline.files.local import local_path
from feedline.kernels.tfrecord_scan import FRAME
from feedline.tfrecord.options import TFRecordOptions
from feedline.tfrecord.writer import FrameWriter

__all__ = ["ShardWriter"]

# Records are handed on in runs of about this size, so that no shard is much too long.
_RUN = 1 << 22


class ShardWriter:
    """Writes records to ``path-00000-of-00003.tfrecord`` and so on.

    Args:
        path: The beginning of the names.
        shard_bytes: A shard that has reached this size is the last but for the next one.
        options: How the files are compressed.
        overwrite: Whether files of an earlier call may be replaced.
    """

    def __init__(
        self, path: str, shard_bytes: int, options: TFRecordOptions, overwrite: bool
    ) -> None:
        self._path = path
        self._shard_bytes = shard_bytes
        self._options = options
        self._old = matching(f"{_escaped(path)}-[0-9]*-of-[0-9]*.tfrecord")
        if self._old and not overwrite:
            raise BuildError(
                f"save_tfrecord(): {self._old[0]} is there already. Give overwrite=True to replace "
                f"what an earlier call wrote to {path}, or another path."
            )
        self._folder = self._made_folder()
        self._written: list[str] = []
        self._file: BinaryIO | None = None
        self._frames: FrameWriter | None = None

    def _made_folder(self) -> str:
        if is_remote(self._path):
            return tempfile.mkdtemp(prefix="feedline-")
        folder, name = os.path.split(os.path.abspath(local_path(self._path)))
        try:
            return tempfile.mkdtemp(prefix=f".{name[:100]}.", suffix=".tmp", dir=folder)
        except FileNotFoundError:
            raise NotFoundError(
                f"save_tfrecord(): there is no folder {folder}. Make it first."
            ) from None
        except OSError as error:
            raise FileError(f"save_tfrecord(): {folder}: {error.strerror}.") from error

    @property
    def num_shards(self) -> int:
        """How many files were begun."""
        return len(self._written)

    def add_run(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        """Write many records, one after the other in ``data``."""
        places = offsets + FRAME * np.arange(len(offsets))
        first = 0
        while first < len(offsets) - 1:
            frames = self._open_frames()
            room = min(self._shard_bytes - frames.written, _RUN)
            # All that begin in the room that is left, and one at least.
            end = int(np.searchsorted(places, places[first] + max(room, 1)))
            last = min(max(end, first + 1), len(offsets) - 1)
            frames.add_run(data, offsets[first : last + 1])
            first = last
            if frames.written >= self._shard_bytes:
                self._end_shard()

    def _open_frames(self) -> FrameWriter:
        if self._frames is None:
            path = os.path.join(self._folder, str(len(self._written)))
            self._file = open(path, "wb")  # noqa: SIM115  (_end_shard() or close() does)
            self._written.append(path)
            self._frames = FrameWriter(self._file, self._options)
        return self._frames

    def _end_shard(self) -> None:
        if self._frames is not None and self._file is not None:
            self._frames.finish()
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
        self._file = self._frames = None

    def publish(self) -> list[str]:
        """Put all files in their place and return their names; there is at least one."""
        self._open_frames()
        self._end_shard()
        count = len(self._written)
        names = [f"{self._path}-{number:05}-of-{count:05}.tfrecord" for number in range(count)]
        for made, name in zip(self._written, names, strict=True):
            if not is_remote(name):
                os.replace(made, local_path(name))
                continue
            with open(made, "rb") as source, written_atomically(name) as target:
                shutil.copyfileobj(source, target, _RUN)
        for old in self._old:
            if old not in names and not is_remote(old):
                os.unlink(local_path(old))
        return names

    def close(self) -> None:
        """Remove what was not put in its place."""
        if self._file is not None:
            self._file.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _escaped(path: str) -> str:
    return "".join(f"\\{c}" if c in "*?[\\" else c for c in path)
