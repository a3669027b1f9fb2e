"""from_tensors: one element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, column_of
from feedline.engine.access import CursorExec
from feedline.errors import BuildError
from feedline.leaf import ingest
from feedline.ops.from_tensor_slices import BlockAccess
from feedline.plan.node import Node, Traits
from feedline.spec import spec_of
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["FromTensors", "from_tensors"]


# ---- what the user calls ---------------------------------------------------


def from_tensors(cls: type[Dataset[Any]], tensors: Any, name: str | None = None) -> Dataset[Any]:
    """Return a dataset whose only element is ``tensors``.

    Arrays are not copied: the element's are read-only views of them.

    Args:
        tensors: An array, number, string, list, RaggedTensor, SparseTensor or Dataset, or
            a nested structure of them.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> list(tf.data.Dataset.from_tensors(([1, 2], "a")))
        [(array([1, 2], dtype=int32), 'a')]
    """
    structure = structure_of(tensors)
    if not structure.num_leaves:
        raise BuildError("from_tensors(): the structure has no values.")
    leaves = [ingest(leaf) for leaf in structure.flatten(tensors)]
    block = Block(structure, tuple(map(_column, leaves)), 1).read_only()
    return cls(FromTensors(block, spec_of(structure.pack(leaves)), name=name))


def _column(leaf: Any) -> Column:
    return Dense(leaf[None]) if isinstance(leaf, np.ndarray) else column_of([leaf])


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class FromTensors(Node):
    """One element in memory."""

    block: Block = field(repr=False, compare=False)
    element_spec: Any = field(repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    def lower(self, run: Run) -> CursorExec:
        """Seek for free."""
        return CursorExec(self.access(run))

    def access(self, run: Run) -> BlockAccess:
        """The one element."""
        return BlockAccess(self.block, run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """One."""
        return 1

    def spec(self, inputs: Sequence[Any]) -> Any:
        """That of the element."""
        return self.element_spec
