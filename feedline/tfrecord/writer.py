"""writer: TFRecord files, written record by record."""

from __future__ import annotations

import os
import zlib
from types import TracebackType
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildTypeError, FileError
from feedline.files import open_to_write
from feedline.files.appended import Appended
from feedline.kernels.tfrecord_frame import tfrecord_frame
from feedline.kernels.tfrecord_scan import FRAME
from feedline.tfrecord.options import TFRecordOptions

__all__ = ["FrameWriter", "TFRecordWriter", "as_record"]

_BUFFER = 1 << 18


class FrameWriter:
    """Puts records into frames, compresses them, and writes them to a file that is open.

    Failed   what the call brought is not taken; what was taken before waits and is written by
             the next call, if the file takes a piece whole or not at all.
    """

    def __init__(self, file: Appended | BinaryIO, options: TFRecordOptions) -> None:
        self._file = file
        self._packer = options.packer()
        self._flush_mode = options.flush_mode or zlib.Z_NO_FLUSH
        self._most_in = options.input_buffer_size or _BUFFER
        self._most_out = options.output_buffer_size or _BUFFER
        self._records: list[bytes] = []
        self._size = 0
        self._out: list[bytes | memoryview] = []
        self._out_size = 0
        # Bytes in the file, those included that wait to be written.
        self.written = 0

    def add(self, record: bytes) -> None:
        """Write one record, soon."""
        self._make_room()
        self._records.append(record)
        self._size += len(record) + FRAME

    def add_run(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        """Write many records, one after the other in ``data``."""
        self._frame()
        self._make_room()
        self._pack(tfrecord_frame(data, offsets).data)

    def _make_room(self) -> None:
        """Write what is enough for a piece. It comes first: a call that fails brings nothing."""
        if self._size >= self._most_in:
            self._frame()
        if self._out_size >= self._most_out:
            self._write_out()

    def _frame(self) -> None:
        if self._records:
            offsets = np.zeros(len(self._records) + 1, np.int64)
            np.cumsum([len(record) for record in self._records], out=offsets[1:])
            data = np.frombuffer(b"".join(self._records), np.uint8)
            self._records, self._size = [], 0
            self._pack(tfrecord_frame(data, offsets).data)

    def _pack(self, frames: memoryview) -> None:
        if self._packer is None:
            self._put(frames)
            return
        for start in range(0, len(frames), self._most_in):
            self._put(self._packer.compress(frames[start : start + self._most_in]))
            if self._flush_mode != zlib.Z_NO_FLUSH:
                self._put(self._packer.flush(self._flush_mode))

    def _put(self, packed: bytes | memoryview) -> None:
        self.written += len(packed)
        self._out.append(packed)
        self._out_size += len(packed)

    def _write_out(self) -> None:
        if self._out:
            self._file.write(self._out[0] if len(self._out) == 1 else b"".join(self._out))
            self._out, self._out_size = [], 0

    def flush(self) -> None:
        """Have in the file all that was written."""
        self._frame()
        if self._packer is not None:
            self._put(self._packer.flush(zlib.Z_PARTIAL_FLUSH))
        self._write_out()
        self._file.flush()

    def finish(self) -> None:
        """Write what comes last; the file stays open."""
        self._frame()
        if self._packer is not None:
            self._put(self._packer.flush(zlib.Z_FINISH))
        self._write_out()


class TFRecordWriter:
    """Writes records to a TFRecord file, which is there from the start.

    A call that fails, because the disk is full or a connection breaks, leaves no part of a record
    behind: its own record is not in the file, those before are, or wait for the next call. Where a
    part cannot be taken back, every later call fails. close() raises if records are lost.

    Args:
        path: Where; a local path, or a URL that fsspec can write to.
        options: TFRecordOptions, or only the compression: "GZIP", "ZLIB", or None for none.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with TFRecordWriter(f"{folder}/words", "GZIP") as writer:
        ...         writer.write(b"one")
        ...     os.path.getsize(f"{folder}/words")
        34
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            raise BuildTypeError(
                f"TFRecordWriter(): path must be str, bytes or os.PathLike, got {path!r} of type "
                f"{type(path).__name__}."
            )
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(TFRecordOptions.get_compression_type_string(options))
        self._path = os.fsdecode(path)
        self._file: Appended | None = None
        self._file = open_to_write(self._path)
        self._frames = FrameWriter(self._file, options)

    def write(self, record: bytes) -> None:
        """Write one record: bytes, or text, which is written as UTF-8."""
        self._check_open()
        self._frames.add(as_record(record, "TFRecordWriter.write()"))

    def flush(self) -> None:
        """Have in the file all that was written."""
        self._check_open()
        self._frames.flush()

    def close(self) -> None:
        """Write what is left and close the file; a second call does nothing."""
        file, self._file = self._file, None
        if file is not None:
            try:
                self._frames.finish()
            except OSError as error:
                error.add_note("close(): records that write() had taken are not in the file")
                raise
            finally:
                file.close()

    def _check_open(self) -> None:
        if self._file is None:
            raise FileError(f"{self._path}: this TFRecordWriter was closed.")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.close()


def as_record(value: Any, call: str) -> bytes:
    """Return what a user gave as a record."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    if isinstance(value, np.ndarray) and value.shape == () and value.dtype.kind in "SO":
        return as_record(value.item(), call)
    raise BuildTypeError(
        f"{call}: a record must be bytes, got {value!r} of type {type(value).__name__}. Make bytes "
        "of it first, for example with SerializeToString() of an Example."
    )
