"""fixed_length_record_dataset: files cut into records of one length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Bytes
from feedline.errors import InvalidArgumentError, check_at_least
from feedline.files import compression_named, open_seekable
from feedline.files.read_once import is_stream
from feedline.ops.chunked import CHUNK_BYTES, ChunkedExec, Piece
from feedline.ops.file_access import FileAccess, FileCursorExec, FilesAccess, files_access
from feedline.ops.file_source import (
    FileSourceNode,
    check_buffer_size,
    check_parallel_reads,
    names_node,
)
from feedline.spec import TensorSpec, string
from feedline.structure import LEAF

if TYPE_CHECKING:
    from feedline.engine.exec import Exec
    from feedline.engine.run import Run

__all__ = ["FixedLengthRecordDatasetNode", "fixed_length_record_dataset"]

_CALL = "FixedLengthRecordDataset()"


# ---- what the user calls ---------------------------------------------------


def fixed_length_record_dataset(
    filenames: Any,
    record_bytes: int,
    header_bytes: int | None = None,
    footer_bytes: int | None = None,
    buffer_size: int | None = None,
    compression_type: str | None = None,
    num_parallel_reads: int | None = None,
    name: str | None = None,
) -> FixedLengthRecordDatasetNode:
    """Return the plan of ``feedline.data.FixedLengthRecordDataset``, which says what is what."""
    return FixedLengthRecordDatasetNode(
        names_node(_CALL, filenames),
        check_at_least(_CALL, "record_bytes", record_bytes, 1),
        check_at_least(_CALL, "header_bytes", 0 if header_bytes is None else header_bytes, 0),
        check_at_least(_CALL, "footer_bytes", 0 if footer_bytes is None else footer_bytes, 0),
        compression_named(compression_type, _CALL),
        check_buffer_size(_CALL, buffer_size, CHUNK_BYTES),
        cycle_length=check_parallel_reads(_CALL, num_parallel_reads),
        name=name,
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class FixedLengthRecordDatasetNode(FileSourceNode):
    """Records of ``record_bytes`` bytes each, between a header and a footer of every file."""

    record_bytes: int
    header_bytes: int
    footer_bytes: int
    compression_type: str
    buffer_size: int = field(repr=False, compare=False)

    def reader(self, path: str, run: Run) -> Exec:
        """Compute where records are; a compressed file, or a pipe, is read from its start."""
        if self.compression_type or is_stream(path):
            return UnpackedRecordsExec(self, path, run)
        return FileCursorExec(self._records, self, path, run)

    def _records(self, path: str, run: Run) -> RecordsAccess:
        return RecordsAccess(self, path, run)

    def access(self, run: Run) -> FilesAccess | None:
        """Compute where records are, if one file comes after the other."""
        if self.compression_type:
            return None
        return files_access(self, run, self._records)

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """A string."""
        return TensorSpec((), string)

    def misfit(self, path: str, length: int) -> str:
        """Say that the length of a file does not fit."""
        body = length - self.header_bytes - self.footer_bytes
        held = f"has {body} bytes" if body >= 0 else "is shorter than both"
        return (
            f"{path}: without a header of {self.header_bytes} and a footer of {self.footer_bytes} "
            f"bytes the file {held}, which is not a multiple of record_bytes={self.record_bytes}. "
            "The file is truncated, or record_bytes, header_bytes or footer_bytes is wrong."
        )


# ---- what runs -------------------------------------------------------------


class RecordsAccess(FileAccess):
    """The records of one file."""

    def __init__(self, node: FixedLengthRecordDatasetNode, path: str, run: Run) -> None:
        super().__init__(run)
        self._size = node.record_bytes
        self._header = node.header_bytes
        self._file = open_seekable(path)
        length = self._file.size()
        body = length - node.header_bytes - node.footer_bytes
        if body < 0 or body % node.record_bytes:
            self._file.close()
            raise InvalidArgumentError(node.misfit(path, length))
        self._length = body // node.record_bytes

    def __len__(self) -> int:
        return self._length

    def elements(self, start: int, stop: int) -> Block:
        """Read the records."""
        return self.elements_at(np.arange(start, stop))

    def elements_at(self, index: NDArray[np.int64]) -> Block:
        """Read records that lie anywhere."""
        return self._block(self._file.read_rows(self._header + index * self._size, self._size))

    def _block(self, data: NDArray[np.uint8]) -> Block:
        offsets = np.arange(0, len(data) + 1, self._size, dtype=np.int64)
        return Block(LEAF, (Bytes(data, offsets),), len(offsets) - 1)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


class UnpackedRecordsExec(ChunkedExec):
    """The records of one file whose length is known when it has been read."""

    def __init__(self, node: FixedLengthRecordDatasetNode, path: str, run: Run) -> None:
        super().__init__(node, path, run, node.compression_type, node.buffer_size)
        self._records = node
        # The record itself is as long as the user says.
        self.most_bytes += node.record_bytes + node.header_bytes + node.footer_bytes

    def split(self, data: bytes, is_final: bool) -> list[Piece]:
        """Cut what is surely before the footer."""
        node = self._records
        header = 0 if self.rest_at else node.header_bytes
        body = max(0, len(data) - header - node.footer_bytes)
        stop = header + body // node.record_bytes * node.record_bytes
        pieces = []
        if stop > header:
            offsets = np.arange(0, stop - header + 1, node.record_bytes, dtype=np.int64)
            column = Bytes(np.frombuffer(data, np.uint8)[header:stop], offsets)
            pieces.append(Piece(Block(LEAF, (column,), len(offsets) - 1), stop))
        if is_final and len(data) != max(stop, header) + node.footer_bytes:
            error = InvalidArgumentError(node.misfit(self.path, self.rest_at + len(data)))
            error.add_note(f"in {node.place}")
            pieces.append(Piece(error, len(data) - (stop if stop > header else 0)))
        return pieces
