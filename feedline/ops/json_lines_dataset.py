"""json_lines_dataset: files with a JSON value on every line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.conform import Declared
from feedline.errors import BuildTypeError, DecodeError, SpecError
from feedline.files import compression_named
from feedline.ops.chunked import CHUNK_BYTES, ChunkedExec, Piece
from feedline.ops.file_source import (
    FileSourceNode,
    check_buffer_size,
    check_parallel_reads,
    names_node,
)
from feedline.spec import LeafSpec
from feedline.structure import structure_of
from feedline.wide import wide_block

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["JsonLinesDatasetNode", "json_lines_dataset"]

_CALL = "JsonLinesDataset()"


# ---- what the user calls ---------------------------------------------------


def json_lines_dataset(
    filenames: Any,
    output_signature: Any = None,
    compression_type: str | None = None,
    buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    name: str | None = None,
) -> JsonLinesDatasetNode:
    """Return the plan of ``feedline.data.JsonLinesDataset``, which says what the arguments are."""
    if output_signature is not None:
        for leaf in structure_of(output_signature).flatten(output_signature):
            if not isinstance(leaf, LeafSpec):
                raise BuildTypeError(
                    f"{_CALL}: output_signature must hold specs such as TensorSpec, got {leaf!r} "
                    f"of type {type(leaf).__name__}."
                )
    return JsonLinesDatasetNode(
        names_node(_CALL, filenames),
        output_signature,
        compression_named(compression_type, _CALL),
        check_buffer_size(_CALL, buffer_size, CHUNK_BYTES),
        cycle_length=check_parallel_reads(_CALL, num_parallel_reads),
        name=name,
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class JsonLinesDatasetNode(FileSourceNode):
    """The values of files with one on every line."""

    element_spec: Any = field(repr=False)
    compression_type: str
    buffer_size: int = field(repr=False, compare=False)

    def reader(self, path: str, run: Run) -> JsonLinesExec:
        """Read one file chunk by chunk."""
        return JsonLinesExec(self, path, run)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """As declared; otherwise the first values tell."""
        return self.element_spec


# ---- what runs -------------------------------------------------------------


class JsonLinesExec(ChunkedExec):
    """The values of one file."""

    def __init__(self, node: JsonLinesDatasetNode, path: str, run: Run) -> None:
        super().__init__(node, path, run, node.compression_type, node.buffer_size)
        self._place = node.place
        self._decode = json.JSONDecoder().decode
        spec = node.element_spec
        self._declared = None if spec is None else Declared(spec)
        self._spec_structure = None if spec is None else structure_of(spec)

    def split(self, data: bytes, is_final: bool) -> list[Piece]:
        """Decode all lines at once, or each by itself if one of them fails."""
        whole = data if is_final else data[: data.rfind(b"\n") + 1]
        if not whole:
            return []
        try:
            lines = whole.decode().split("\n")
            values = [self._decode(line) for line in lines if line and not line.isspace()]
            block = self._block(values) if values else None
        except (ValueError, RecursionError):
            return self._pieces(whole)
        # Ends of lines with nothing on them belong to the values before.
        return [] if block is None else [Piece(block, len(whole), whole.count(b"\n"))]

    def _block(self, values: list[Any]) -> Block:
        if self._declared is None:
            return wide_block(values)
        return self._declared.block([self._projected(value) for value in values])

    def _projected(self, value: Any) -> Any:
        """Return a value without the keys that were not asked for."""
        assert self._spec_structure is not None
        keys = self._spec_structure.keys
        if isinstance(value, dict) and len(value) > len(keys) and set(keys) <= set(value):
            return {key: value[key] for key in keys}
        return value

    def _pieces(self, data: bytes) -> list[Piece]:
        """Return runs of values of one structure, and failures between them."""
        made: list[tuple[Any, Any, int]] = []
        pending = 0
        for number, line in enumerate(data.split(b"\n")):
            size = len(line) + 1
            if not line.strip():
                pending += size
                continue
            value = self._value(line, self.rest_line + number + 1)
            kind = value if isinstance(value, Exception) else structure_of(value)
            made.append((kind, value, pending + size))
            pending = 0
        pieces: list[Piece] = []
        at = 0
        for kind, group in groupby(made, key=lambda one: one[0]):
            part = list(group)
            stop = min(at + sum(size for _, _, size in part), len(data))
            found = kind if isinstance(kind, Exception) else self._block([v for _, v, _ in part])
            pieces.append(Piece(found, stop - at, data.count(b"\n", at, stop)))
            at = stop
        return pieces

    def _value(self, line: bytes, number: int) -> Any:
        """Return the value on a line, or what is wrong with it."""
        try:
            value = self._decode(line.decode())
            if self._declared is not None:
                self._declared.block([self._projected(value)])
            else:
                wide_block([value])
            return value
        except json.JSONDecodeError as error:
            reason = f"column {error.colno}: this is no JSON: {error.msg}"
        except UnicodeDecodeError as error:
            reason = f"byte {error.start}: this is not UTF-8: {error.reason}"
        except SpecError as error:
            reason = f"the value{str(error) if str(error)[:1] == ' ' else f' is wrong: {error}'}"
        except (ValueError, RecursionError) as error:
            reason = f"this cannot be read: {error}"
        failure = DecodeError(
            f"{self.path}, line {number}, {reason}. Mend the file, or pass over it with "
            "ignore_errors()."
        )
        failure.add_note(f"in {self._place}")
        return failure
