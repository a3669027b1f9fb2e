"""row_groups: rows by index in files that hold them in groups, of which one is in memory.

A pass from front to end has the next groups read by threads. Rows that are skipped are not read:
files say how many each of their groups has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.errors import FeedlineError
from feedline.ops.file_access import FileAccess, FileCursorExec, FilesAccess, files_access
from feedline.ops.file_source import FileSourceNode
from feedline.ops.groups_ahead import GroupsAhead
from feedline.plan.node import Node

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["Groups", "RowGroups", "RowGroupsNode"]


@dataclass(frozen=True)
class RowGroupsNode(FileSourceNode):
    """The rows of files that hold them in groups; ``columns`` of them."""

    columns: tuple[str, ...] | None
    fill_values: dict[str, Any] = field(repr=False)

    @abstractmethod
    def groups_of(self, path: str) -> Groups:
        """Open one file."""

    def rows_of(self, path: str, run: Run) -> RowGroups:
        """Open one file to read its rows by index."""
        # Of files that are read in turn each would hold as much as one alone may.
        return RowGroups(run, self.groups_of(path), reads_ahead=self.cycle_length == 1)

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


class Groups(ABC):
    """The groups of one file, read by several threads at once.

    Attributes:
        lengths: How many rows each has.
        sizes: About how many bytes each takes.
    """

    lengths: Sequence[int]
    sizes: Sequence[int]

    @abstractmethod
    def read(self, number: int) -> Block:
        """Return all rows of one group."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the file."""


class RowGroups(FileAccess):
    """The rows of one file. The group that was read last is kept."""

    def __init__(self, run: Run, groups: Groups, reads_ahead: bool) -> None:
        super().__init__(run)
        self._groups = groups
        self._starts = np.concatenate([[0], np.cumsum(groups.lengths, dtype=np.int64)])
        self._held = -1
        self._block: Block | None = None
        self._ahead = GroupsAhead(groups.sizes, groups.read)
        self._reads_ahead = reads_ahead

    def __len__(self) -> int:
        return int(self._starts[-1])

    def _number(self, row: int) -> int:
        return int(np.searchsorted(self._starts, row, side="right")) - 1

    def run_end(self, start: int, stop: int) -> int:
        """Return the end of the group that ``start`` is in, if it comes first."""
        return min(stop, int(self._starts[self._number(start) + 1]))

    def read_ahead(self, at: int) -> None:
        """Have the groups after this row's read."""
        if self._reads_ahead:
            self._ahead.follow(self._number(at))

    def elements(self, start: int, stop: int) -> Block:
        """Return views of the groups that the rows are in."""
        parts: list[Block] = []
        number = min(self._number(start), len(self._starts) - 2)
        while not parts or (start < stop):
            first, last = (int(place) for place in self._starts[number : number + 2])
            parts.append(self._group(number).slice(start - first, min(stop, last) - first))
            start = last
            number += 1
        return Block.concat(parts)

    def elements_at(self, index: NDArray[np.int64]) -> Block:
        """Return rows anywhere, each group read once."""
        if not len(index):
            return self.elements(0, 0)
        owners = np.searchsorted(self._starts, index, side="right") - 1
        order = np.argsort(owners, kind="stable")
        parts = []
        for number in np.unique(owners).tolist():
            rows = index[owners == number] - int(self._starts[number])
            parts.append(self._group(number).take(rows))
        block = Block.concat(parts)
        return block if len(parts) == 1 else block.take(np.argsort(order, kind="stable"))

    def _group(self, number: int) -> Block:
        if number != self._held or self._block is None:
            self._block = None  # no more of them in memory at once than needed
            block = self._ahead.take(number)
            if block is None:
                block = self._groups.read(number)
            self._block, self._held = block.read_only(), number
        return self._block

    def close(self) -> None:
        """Let go of the rows."""
        self._ahead.close()
        self._groups.close()
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
