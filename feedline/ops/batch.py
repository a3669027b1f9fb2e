"""batch: stack consecutive elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Column
from feedline.engine.access import Access
from feedline.engine.grouping import GroupingExec
from feedline.errors import SpecError, check_at_least
from feedline.ids import Ids, mix_ids
from feedline.leaf import MismatchError
from feedline.ops.arguments import check_parallel
from feedline.plan.node import Traits, UnaryNode
from feedline.spec import map_spec

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.options import OptimizationOptions

__all__ = ["Batch", "batch", "batch_cardinality", "batch_ids", "stack_block"]

_BATCH = 0xBA7C4


# ---- what the user calls ---------------------------------------------------


def batch(
    self: Dataset[Any],
    batch_size: int,
    drop_remainder: bool = False,
    num_parallel_calls: int | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> Dataset[Any]:
    """Return ``batch_size`` consecutive elements at a time, stacked on a new first axis.

    Args:
        batch_size: Elements per batch. All must have the same dtypes and shapes.
        drop_remainder: Leave out a last batch that is not full.
        num_parallel_calls: How many batches may be assembled at once, or AUTOTUNE.
        deterministic: False allows batches to come out of order.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [b.tolist() for b in tf.data.Dataset.range(5).batch(2)]
        [[0, 1], [2, 3], [4]]
    """
    size = check_at_least("batch()", "batch_size", batch_size, 1)
    check_parallel("batch()", num_parallel_calls, deterministic)
    return self.then(
        Batch(
            self.node,
            size,
            bool(drop_remainder),
            num_parallel_calls=num_parallel_calls,
            deterministic=deterministic,
            name=name,
        )
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Batch(UnaryNode):
    """``batch_size`` consecutive elements, stacked."""

    batch_size: int
    drop_remainder: bool
    num_parallel_calls: int | None = field(default=None, kw_only=True, repr=False)
    deterministic: bool | None = field(default=None, kw_only=True, repr=False)

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True)

    def lower(self, run: Run) -> BatchExec:
        """Read as many elements as needed, reshape."""
        return BatchExec(
            run.open(self.input),
            self.batch_size,
            self.drop_remainder,
            keeps_places=self._is_fused(run.options.experimental_optimization),
        )

    def _is_fused(self, settings: OptimizationOptions) -> bool:
        """Whether tf.data would fuse this with a map, and drop whole batches on a failure."""
        chosen = settings.map_and_batch_fusion
        if chosen is None:
            chosen = settings.apply_default_optimizations is not False
        return chosen and self.input.traits.maps

    def access(self, run: Run) -> Access | None:
        """Get the elements of the batches."""
        inner = self.input.access(run)
        return None if inner is None else BatchAccess(inner, self)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, divided."""
        return batch_cardinality(inputs[0], self.batch_size, self.drop_remainder)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The batch size is known only if no batch can be short."""
        size = self.batch_size if self.drop_remainder else None
        return map_spec(lambda leaf: leaf.batch_spec(size), inputs[0])


def batch_cardinality(count: int, size: int, drop_remainder: bool) -> int:
    """Return how many batches ``count`` elements make."""
    if count < 0:
        return count
    return count // size if drop_remainder else -(-count // size)


# ---- what runs -------------------------------------------------------------


class BatchExec(GroupingExec):
    """Stacks runs of elements."""

    def group(self, block: Block, first: int) -> Block:
        """Stack every ``size`` elements."""
        return stack_block(block, self._size, first)


class BatchAccess(Access):
    """Any batch, from the elements that belong to it."""

    def __init__(self, inner: Access, node: Batch) -> None:
        self._inner = inner
        self._size = node.batch_size
        self._length = batch_cardinality(len(inner), node.batch_size, node.drop_remainder)
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return self._length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the batches at ``index``; a short last batch may stand among them."""
        return Block.concat([self.run(i, i + 1) for i in index.tolist()])

    def run(self, start: int, stop: int) -> Block:
        """Return consecutive batches."""
        size = self._size
        block = self._inner.run(start * size, min(stop * size, len(self._inner)))
        return stack_block(block, size, start * size)


def stack_block(block: Block, size: int, first: int) -> Block:
    """Return the block of batches of ``size``; ``first`` is the first element's position."""
    columns: list[Column] = []
    for column, path in zip(block.columns, block.structure.paths(), strict=True):
        try:
            columns.append(column.group(size))
        except MismatchError as error:
            one, other = error.first + first, error.second + first
            where = f" at {path}" if path else ""
            raise SpecError(
                f"batch(): elements {one} and {other} differ{where}: "
                f"{error.texts[0]} and {error.texts[1]}. Use padded_batch() or ragged_batch(), "
                "or make them equal in a map() before."
            ) from None
    count = -(-block.length // size)
    return Block(block.structure, tuple(columns), count, batch_ids(block, size))


def batch_ids(block: Block, size: int) -> Ids | None:
    """Return the ids of batches: made of the id of each one's first element."""
    return None if block.ids is None else mix_ids(block.ids[::size], _BATCH)
