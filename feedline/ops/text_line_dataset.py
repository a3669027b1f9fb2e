"""text_line_dataset: the lines of text files."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.block import Block
from feedline.column import Bytes, Objects
from feedline.errors import BuildError, BuildTypeError, DecodeError
from feedline.files import compression_named
from feedline.kernels.split_lines import split_lines
from feedline.kernels.text_rows import is_utf8
from feedline.ops.chunked import CHUNK_BYTES, ChunkedExec, Piece
from feedline.ops.file_source import (
    FileSourceNode,
    check_buffer_size,
    check_parallel_reads,
    names_node,
)
from feedline.spec import TensorSpec, string
from feedline.structure import LEAF
from feedline.text_column import Texts

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["TextLineDatasetNode", "check_encoding", "text_line_dataset"]

_CALL = "TextLineDataset()"


# ---- what the user calls ---------------------------------------------------


def text_line_dataset(
    filenames: Any,
    compression_type: str | None = None,
    buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    name: str | None = None,
    *,
    encoding: str | None = "utf-8",
) -> TextLineDatasetNode:
    """Return the plan of ``feedline.data.TextLineDataset``, which says what the arguments are."""
    return TextLineDatasetNode(
        names_node(_CALL, filenames),
        compression_named(compression_type, _CALL),
        check_encoding(_CALL, encoding),
        check_buffer_size(_CALL, buffer_size, CHUNK_BYTES),
        cycle_length=check_parallel_reads(_CALL, num_parallel_reads),
        name=name,
    )


def check_encoding(call: str, encoding: Any) -> str | None:
    """Return the name of an encoding in which the end of a line is one byte."""
    if encoding is None:
        return None
    if not isinstance(encoding, str):
        raise BuildTypeError(
            f"{call}: encoding must be the name of an encoding or None, got {encoding!r}."
        )
    try:
        known = codecs.lookup(encoding).name
        ends_lines = "a\n".encode(encoding) == b"a\n"
    except (LookupError, TypeError, ValueError) as error:
        raise BuildError(
            f"{call}: encoding {encoding!r} is not known for text. Use 'utf-8', 'latin-1', ..., "
            "or None for bytes."
        ) from error
    if not ends_lines:
        raise BuildError(
            f"{call}: encoding {known!r} does not write the end of a line as the byte 0A alone, "
            "by which lines are found. Convert the files to UTF-8."
        )
    return known


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class TextLineDatasetNode(FileSourceNode):
    """The lines of files, as text, or as bytes if ``encoding`` is None."""

    compression_type: str
    encoding: str | None
    buffer_size: int = field(repr=False, compare=False)

    def reader(self, path: str, run: Run) -> LinesExec:
        """Read one file chunk by chunk."""
        return LinesExec(self, path, run)

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """A string."""
        return TensorSpec((), string)


# ---- what runs -------------------------------------------------------------


class LinesExec(ChunkedExec):
    """The lines of one file."""

    def __init__(self, node: TextLineDatasetNode, path: str, run: Run) -> None:
        super().__init__(node, path, run, node.compression_type, node.buffer_size)
        self._encoding = node.encoding

    def split(self, data: bytes, is_final: bool) -> list[Piece]:
        """Find all lines at once."""
        encoding = self._encoding
        if encoding is None or encoding == "utf-8":
            buffer = np.frombuffer(data, np.uint8)
            lines, offsets, used = split_lines(buffer, is_final)
            if len(offsets) == 1:
                return []
            # With their ends, which are whole characters: where all is text, every line is.
            if encoding is None or is_utf8(buffer[:used]):
                found = Bytes(lines, offsets)
                column = found if encoding is None else Texts(found)
                return [Piece(Block(LEAF, (column,), len(found)), used, len(found))]
        return self._decoded_lines(data, is_final, encoding)

    def _decoded_lines(self, data: bytes, is_final: bool, encoding: str) -> list[Piece]:
        """Find the lines of text in any encoding, some of which may be damaged."""
        whole = data if is_final else data[: data.rfind(b"\n") + 1]
        try:
            text = whole.replace(b"\r", b"").decode(encoding)
        except UnicodeDecodeError:
            return self._pieces_around_failures(whole, encoding)
        found = text.split("\n")
        if not found[-1]:
            found.pop()  # what comes after the last end of a line
        block = Block(LEAF, (Objects(found),), len(found))
        return [Piece(block, len(whole), len(found))] if found else []

    def _pieces_around_failures(self, data: bytes, encoding: str) -> list[Piece]:
        """Return the runs of lines that are text, and the failures of those that are not."""
        raw = _lines_with_ends(data)
        tried = [_decoded(line, encoding) for line in raw]
        pieces: list[Piece] = []
        number = 0
        for is_text, run in groupby(tried, lambda found: isinstance(found, str)):
            found = list(run)
            stop = number + len(found)
            if is_text:
                block = Block(LEAF, (Objects(found),), len(found))
                pieces.append(Piece(block, sum(map(len, raw[number:stop])), len(found)))
            else:
                for place in range(number, stop):
                    error = self._failure(self.rest_line + place + 1, tried[place], encoding)
                    pieces.append(Piece(error, len(raw[place]), 1))
            number = stop
        return pieces

    def _failure(self, line: int, error: Any, encoding: str) -> DecodeError:
        failure = DecodeError(
            f"{self.path}, line {line}: byte {error.object[error.start]:#04x} at place "
            f"{error.start} of the line is not {encoding}: {error.reason}. Give the encoding the "
            "file was written in, such as encoding='latin-1', or encoding=None for bytes."
        )
        failure.add_note(f"in {self._node.place}")
        return failure


def _lines_with_ends(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last.strip(b"\r") else lines


def _decoded(line: bytes, encoding: str) -> str | UnicodeDecodeError:
    try:
        return line.translate(None, b"\r\n").decode(encoding)
    except UnicodeDecodeError as error:
        return error
