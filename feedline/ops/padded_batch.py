"""padded_batch: stack consecutive elements after filling them up to one shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from feedline.block import Block
from feedline.engine.access import Access
from feedline.engine.grouping import GroupAccess, GroupingExec
from feedline.errors import check_at_least
from feedline.ops.arguments import check_flag
from feedline.ops.batch import batch_cardinality, batch_ids
from feedline.ops.padding import LeafPadding, leaf_paddings
from feedline.plan.declared import declared_spec
from feedline.plan.node import Traits, UnaryNode
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["PaddedBatch", "padded_batch"]


# ---- what the user calls ---------------------------------------------------


def padded_batch(
    self: Dataset[Any],
    batch_size: int,
    padded_shapes: Any = None,
    padding_values: Any = None,
    drop_remainder: bool = False,
    name: str | None = None,
) -> Dataset[Any]:
    """Return ``batch_size`` consecutive elements at a time, filled up to one shape and stacked.

    Args:
        batch_size: Elements per batch. All must have the same dtypes and ranks.
        padded_shapes: A shape per leaf, in the structure of the elements; None or -1 for
            an axis pads it to the longest of the batch. None does so for every axis.
        padding_values: One scalar for all leaves, or one per leaf, of the leaf's dtype. A
            Python number takes the leaf's dtype. None stands for zero or an empty string.
        drop_remainder: Leave out a last batch that is not full.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(1, 5).map(lambda x: x.repeat(x))
        >>> [b.tolist() for b in ds.padded_batch(2, padding_values=-1)]
        [[[1, -1], [2, 2]], [[3, 3, 3, -1], [4, 4, 4, 4]]]
    """
    size = check_at_least("padded_batch()", "batch_size", batch_size, 1)
    node = PaddedBatch(
        self.node,
        size,
        padded_shapes,
        padding_values,
        check_flag("padded_batch()", "drop_remainder", drop_remainder),
        name=name,
    )
    if (spec := declared_spec(self.node)) is not None:
        node.spec([spec])
    return self.then(node)


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class PaddedBatch(UnaryNode):
    """``batch_size`` consecutive elements, filled up to one shape and stacked."""

    batch_size: int
    # As given, and so perhaps arrays, which do not compare.
    padded_shapes: Any = field(compare=False)
    padding_values: Any = field(compare=False)
    drop_remainder: bool

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True)

    def lower(self, run: Run) -> PaddedBatchExec:
        """Read as many elements as needed, copy them into place."""
        return PaddedBatchExec(run.open(self.input), self)

    def access(self, run: Run) -> Access | None:
        """Get the elements of the batches."""
        inner = self.input.access(run)
        if inner is None:
            return None
        return GroupAccess(inner, self.batch_size, self.drop_remainder, Padder(self).group)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, divided."""
        return batch_cardinality(inputs[0], self.batch_size, self.drop_remainder)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The padded shapes, as far as they are given; the batch size if none can be short."""
        size = self.batch_size if self.drop_remainder else None
        structure = structure_of(inputs[0])
        paddings = leaf_paddings(structure, self.padded_shapes, self.padding_values)
        leaves = zip(paddings, structure.flatten(inputs[0]), strict=True)
        return structure.pack([padding.batch_spec(leaf, size) for padding, leaf in leaves])


# ---- what runs -------------------------------------------------------------


class Padder:
    """Pads blocks as a node asks for, and knows how once it has seen one."""

    def __init__(self, node: PaddedBatch) -> None:
        self._node = node
        self._structure: Structure | None = None
        self._paddings: list[LeafPadding] = []

    def group(self, block: Block, first: int) -> Block:
        """Return the padded batches of a block; ``first`` is its first element's position."""
        node, size = self._node, self._node.batch_size
        if block.structure != self._structure:
            self._structure = block.structure
            self._paddings = leaf_paddings(block.structure, node.padded_shapes, node.padding_values)
        pairs = zip(self._paddings, block.columns, strict=True)
        columns = tuple(padding.pad(column, size, first) for padding, column in pairs)
        count = -(-block.length // size)
        return Block(block.structure, columns, count, batch_ids(block, size))


class PaddedBatchExec(GroupingExec):
    """Pads runs of elements."""

    def __init__(self, stream: Stream, node: PaddedBatch) -> None:
        super().__init__(stream, node.batch_size, node.drop_remainder)
        self._padder = Padder(node)

    def group(self, block: Block, first: int) -> Block:
        """Pad every ``size`` elements."""
        return self._padder.group(block, first)
