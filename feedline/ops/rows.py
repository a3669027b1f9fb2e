"""rows: the dataset over a block in memory that windows and groups hand to a user's function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from feedline.block import Block
from feedline.column import Column, Dense, Ragged
from feedline.engine.access import CursorExec
from feedline.ops.from_tensor_slices import BlockAccess
from feedline.plan.node import Node, Traits
from feedline.spec import TensorSpec, merge_specs, spec_of

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["Rows"]


@dataclass(frozen=True)
class Rows(Node):
    """The elements of a block, which nobody may change; ``element_spec`` if it is known."""

    block: Block = field(repr=False, compare=False)
    element_spec: Any = field(default=None, repr=False, compare=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    @property
    def signature(self) -> str:
        """The number of rows counts: a position among others is another place."""
        return f"{self.operator}({self.block.length} rows)"

    def lower(self, run: Run) -> CursorExec:
        """Seek for free."""
        return CursorExec(self.access(run))

    def access(self, run: Run) -> BlockAccess:
        """Gather rows."""
        return BlockAccess(self.block, run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The number of rows."""
        return self.block.length

    def spec(self, inputs: Sequence[Any]) -> Any:
        """What is known, or what the rows show."""
        if self.element_spec is not None or not self.block.length:
            return self.element_spec
        return self.block.structure.pack([_spec_of_column(c) for c in self.block.columns])


def _spec_of_column(column: Column) -> Any:
    if isinstance(column, Dense):
        return TensorSpec(column.array.shape[1:], column.array.dtype)
    if isinstance(column, Ragged):
        return TensorSpec((None, *column.values.shape[1:]), column.values.dtype)
    return merge_specs([spec_of(row) for row in column.rows()])
