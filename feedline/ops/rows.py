"""rows: the dataset over a block in memory that windows and groups hand to a user's function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feedline.column import Column, Dense, Ragged
from feedline.ops.in_memory import InMemoryNode
from feedline.spec import TensorSpec, merge_specs, spec_of

if TYPE_CHECKING:
    pass

__all__ = ["Rows"]


@dataclass(frozen=True)
class Rows(InMemoryNode):
    """The elements of a window or group; ``element_spec`` if it is known."""

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
