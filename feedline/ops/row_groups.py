"""row_groups: rows by index in files that hold them in groups, of which one is in memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.block import Block
from feedline.errors import FeedlineError
from feedline.ops.file_access import FileAccess, FileCursorExec, FilesAccess, files_access
from feedline.ops.file_source import FileSourceNode
from feedline.plan.node import Node

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["RowGroups", "RowGroupsNode"]


@dataclass(frozen=True)
class RowGroupsNode(FileSourceNode):
    """The rows of files that hold them in groups; ``columns`` of them."""

    columns: tuple[str, ...] | None
    fill_values: dict[str, Any] = field(repr=False)

    @abstractmethod
    def rows_of(self, path: str, run: Run) -> RowGroups:
        """Open one file."""

    @abstractmethod
    def spec_of(self, path: str) -> Any:
        """Return what one file says of its rows."""

    def reader(self, path: str, run: Run) -> FileCursorExec:
        """Read one group of rows after the other."""
        return FileCursorExec(self.rows_of, self, path, run)

    def access(self, run: Run) -> FilesAccess | None:
        """Read the groups that rows are in, if one file comes after the other."""
        return files_access(self, run, self.rows_of)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """What the first file says."""
        return spec_of_first_file(self, self.spec_of)


class RowGroups(FileAccess):
    """The rows of one file. The group that was read last is kept."""

    def __init__(self, run: Run, lengths: Sequence[int]) -> None:
        super().__init__(run)
        self._starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        self._held = -1
        self._block: Block | None = None

    @abstractmethod
    def read_group(self, number: int) -> Block:
        """Return all rows of one group."""

    def __len__(self) -> int:
        return int(self._starts[-1])

    def run_end(self, start: int, stop: int) -> int:
        """Return the end of the group that ``start`` is in, if it comes first."""
        number = int(np.searchsorted(self._starts, start, side="right"))
        return min(stop, int(self._starts[number]))

    def elements(self, start: int, stop: int) -> Block:
        """Return views of the groups that the rows are in."""
        parts: list[Block] = []
        number = int(np.searchsorted(self._starts, start, side="right")) - 1
        number = min(number, len(self._starts) - 2)
        while not parts or (start < stop):
            first, last = (int(place) for place in self._starts[number : number + 2])
            parts.append(self._group(number).slice(start - first, min(stop, last) - first))
            start = last
            number += 1
        return Block.concat(parts)

    def _group(self, number: int) -> Block:
        if number != self._held or self._block is None:
            self._block = None  # not two of them in memory at once
            self._block, self._held = self.read_group(number).read_only(), number
        return self._block

    def close(self) -> None:
        """Let go of the rows."""
        self._block = None


def spec_of_first_file(node: Node, spec_of: Callable[[str], Any]) -> Any:
    """Return what the first of several files says its rows are; None if that cannot be known."""
    if "spec of file" not in node.kept:
        names = getattr(node.inputs[0], "block", None)
        node.kept["spec of file"] = None
        if isinstance(names, Block) and names.length:
            # What is wrong with a file is said when it is read.
            with suppress(FeedlineError):
                node.kept["spec of file"] = spec_of(str(names.slice(0, 1).rows()[0]))
    return node.kept["spec of file"]
