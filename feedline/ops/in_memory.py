"""in_memory: what sources that hold their elements as a block have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.column import Dense
from feedline.engine.access import Access, CursorExec
from feedline.plan.node import Node, Traits

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["BlockAccess", "InMemoryNode"]


@dataclass(frozen=True)
class InMemoryNode(Node):
    """The elements of a block, which nobody may change."""

    block: Block = field(repr=False, compare=False)
    element_spec: Any = field(default=None, repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    @property
    def label(self) -> str:
        """The number of elements."""
        call = f"{self.operator}({self.block.length} elements)"
        return f"{call} [{self.name}]" if self.name else call

    @property
    def signature(self) -> str:
        """The number of elements counts: a position in other data is another place."""
        return f"{self.operator}({self.block.length} elements)"

    def lower(self, run: Run) -> CursorExec:
        """Seek for free."""
        return CursorExec(self.access(run))

    def access(self, run: Run) -> BlockAccess:
        """Gather elements."""
        return BlockAccess(self.block, run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The number of elements."""
        return self.block.length

    def spec(self, inputs: Sequence[Any]) -> Any:
        """What the source declared."""
        return self.element_spec


class BlockAccess(Access):
    """The elements of one block in memory."""

    def __init__(self, block: Block, run: Run) -> None:
        self._block = block
        self._run = run
        self._buffers = Buffers()

    def __len__(self) -> int:
        return self._block.length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return copies of the elements at ``index``."""
        block, gathered = self._block, self._buffers.gathered
        columns = tuple(
            Dense(gathered(column.array, index)) if type(column) is Dense else column.take(index)
            for column in block.columns
        )
        return self._with_ids(Block(block.structure, columns, len(index)), index)

    def run(self, start: int, stop: int) -> Block:
        """Return a view of some consecutive elements."""
        return self._with_ids(self._block.slice(start, stop), np.arange(start, stop))

    def _with_ids(self, block: Block, index: NDArray[np.int64]) -> Block:
        if not self._run.with_ids:
            return block
        ids = self._run.scope.ids(index)
        return Block(block.structure, block.columns, block.length, ids)
