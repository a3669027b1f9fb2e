"""chunked: what sources that find their elements in chunks of a file have in common.

A chunk is looked at as a whole. What is left of it, because an element goes on in the next, is
kept; an element that is longer than a chunk is looked at again only when twice as much is there.
The position is a byte of the file. A compressed file has no bytes to go to: it is read again.

Failed   an element that cannot be made raises in its turn, and the next pull goes on after it;
         a file that cannot be read any further raises after its last element, and is over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from feedline.engine.exec import Exec, State
from feedline.errors import CheckpointError, InvalidArgumentError
from feedline.files import open_file, unpacked
from feedline.limits import MAX_LINE_BYTES

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.run import Run
    from feedline.files import File
    from feedline.ops.file_source import FileSourceNode

__all__ = ["CHUNK_BYTES", "ChunkedExec", "Piece"]

# Large enough that the cost of a chunk does not count, small enough for the first element to
# come soon and for many files to be open at once.
CHUNK_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class Piece:
    """Elements that were found, or why one could not be made; and the text they were made of."""

    found: Block | Exception
    num_bytes: int
    num_lines: int = 0


class ChunkedExec(Exec):
    """Reads one file, chunk by chunk."""

    def __init__(
        self, node: FileSourceNode, path: str, run: Run, compression: str, chunk_bytes: int
    ) -> None:
        self.path = path
        self._node = node
        self._run = run
        self._compression = compression
        self._chunk_bytes = chunk_bytes
        # More of one line than this is not kept.
        self.most_bytes = run.options.max_line_bytes or MAX_LINE_BYTES
        self._file: File | None = None
        self._chunks: Iterator[bytes] | None = None
        self._ready: deque[Piece] = deque()
        # What follows after the pieces that are ready, and where in the file and in its lines.
        self._rest = b""
        self.rest_at = 0
        self.rest_line = 0
        # Where the pieces handed on end, and how many elements they were.
        self._at = 0
        self._line = 0
        self._number = 0
        self._ended = False

    def split(self, data: bytes, is_final: bool) -> list[Piece]:
        """Return the elements that are whole in ``data``, which lies at rest_at in the file.

        The pieces follow upon each other from the start of ``data``. What ``is_final`` is all
        there is: it must be used up, if there is an element in it.
        """
        raise NotImplementedError

    @property
    def is_at_start(self) -> bool:
        """Whether nothing of the file was used yet."""
        return self.rest_at == 0 and self._number == 0

    def pull(self, limit: int) -> Block | None:
        """Return the elements of the next piece."""
        while not self._ready:
            if self._ended:
                return None
            self._read_on()
        piece = self._ready.popleft()
        self._at += piece.num_bytes
        self._line += piece.num_lines
        if isinstance(piece.found, Exception):
            self._number += 1
            raise piece.found
        return self._with_ids(piece.found)

    def _with_ids(self, block: Block) -> Block:
        start, self._number = self._number, self._number + block.length
        if not self._run.with_ids:
            return block
        return replace(block, ids=self._run.scope.ids(np.arange(start, self._number)))

    def _read_on(self) -> None:
        """Have pieces ready, or be at the end."""
        parts, length = [self._rest], len(self._rest)
        wanted, failed = max(1, 2 * length), None
        chunk: bytes | None = b""
        try:
            chunks = self._open()
            while length < wanted and chunk is not None:
                chunk = next(chunks, None)
                parts.append(chunk or b"")
                length += len(parts[-1])
        except BaseException as error:
            # Whatever it was, what was read of the file is incomplete now.
            self._ended = isinstance(error, Exception)
            if not isinstance(error, Exception):
                raise
            error.add_note(f"in {self._node.place}")
            failed = error
        data = b"".join(parts)
        self._ended = self._ended or chunk is None
        pieces = self.split(data, chunk is None) if data or chunk is None else []
        used = sum(piece.num_bytes for piece in pieces)
        self._rest = data[used:]
        self.rest_at += used
        self.rest_line += sum(piece.num_lines for piece in pieces)
        self._ready.extend(pieces)
        if failed is None and len(self._rest) > self.most_bytes:
            failed = self._too_long()
            self._ended = True
        if failed is not None:
            self._ready.append(Piece(failed, 0))
        if self._ended:
            self._rest = b""
            self._close_file()

    def _too_long(self) -> Exception:
        error = InvalidArgumentError(
            f"{self.path}, byte {self.rest_at}: what begins there is longer than "
            f"{self.most_bytes} bytes, and has no end yet. If the file is to be trusted, set "
            "Options.max_line_bytes."
        )
        error.add_note(f"in {self._node.place}")
        return error

    def _open(self) -> Iterator[bytes]:
        """Return the chunks from where the file is to be read on."""
        if self._chunks is None:
            self._file = open_file(self.path)
            start = self.rest_at
            if self._compression:
                self._chunks = self._unpacked(self._file, start)
            else:
                if start and start > (size := self._file.size()):
                    raise CheckpointError(
                        f"{self.path}: the file has {size} bytes, but {start} were read when the "
                        "state was saved. It must be the same file."
                    )
                self._chunks = self._file.chunks(start, self._chunk_bytes)
        return self._chunks

    def _unpacked(self, file: File, start: int) -> Iterator[bytes]:
        raw = file.chunks(0, self._chunk_bytes)
        chunks = unpacked(raw, self._compression, self.path, self._chunk_bytes)
        if not start:
            return chunks
        self._node.replayed.warn(
            f"{self._node.place}: a compressed file cannot be entered in the middle, so "
            f"{self.path} is read again from its start to the place of the saved state. "
            "Decompress the files to resume at once."
        )
        behind = start
        for chunk in chunks:
            if len(chunk) >= behind:
                return chain([chunk[behind:]], chunks)
            behind -= len(chunk)
        raise CheckpointError(
            f"{self.path}: the file ends after {start - behind} bytes, but {start} were read when "
            "the state was saved. It must be the same file."
        )

    def counters(self) -> State:
        """Return the place in the file."""
        return {"at": self._at, "line": self._line, "number": self._number}

    def resume(self, counters: State) -> None:
        """Go there, before the next chunk is read."""
        at, line, number = (int(counters[key]) for key in ("at", "line", "number"))
        if min(at, line, number) < 0:
            raise CheckpointError(f"the state is damaged: a place in a file is {at}.")
        self._at = self.rest_at = at
        self._line = self.rest_line = line
        self._number = number

    def _close_file(self) -> None:
        chunks, self._chunks = self._chunks, None
        file, self._file = self._file, None
        if chunks is not None:
            with suppress(AttributeError):
                chunks.close()  # type: ignore[attr-defined]  # a generator's
        if file is not None:
            file.close()

    def close(self) -> None:
        """Close the file."""
        self._ready.clear()
        self._rest = b""
        self._ended = True
        self._close_file()
