"""batch: stack consecutive elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.column import Bytes, Column, Dense, Objects
from feedline.engine.access import Access
from feedline.engine.grouping import GroupingExec, batch_memory
from feedline.errors import SpecError, check_at_least
from feedline.ids import Ids, mix_ids
from feedline.leaf import MismatchError
from feedline.ops.arguments import check_flag, check_parallel
from feedline.ops.below import Below
from feedline.plan.declared import declared_spec
from feedline.plan.node import Traits, UnaryNode
from feedline.ragged.tensor import stack_rows
from feedline.spec import RaggedTensorSpec, map_spec
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.options import OptimizationOptions

__all__ = [
    "Batch",
    "batch",
    "batch_cardinality",
    "batch_ids",
    "has_ragged_rows",
    "stack_block",
    "stack_ragged",
]

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

    Rows of a RaggedTensor become a RaggedTensor again, if no function came in between.

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
            check_flag("batch()", "drop_remainder", drop_remainder),
            Below.of(self.node),
            num_parallel_calls=num_parallel_calls,
            deterministic=deterministic,
            ahead=num_parallel_calls or 0,
            name=name,
        )
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Batch(UnaryNode):
    """``batch_size`` consecutive elements, stacked.

    ``below``: the input when the step was asked for. Rules that change the input must not
    change what a failing element takes with it.
    """

    batch_size: int
    drop_remainder: bool
    below: Below = field(repr=False)
    num_parallel_calls: int | None = field(default=None, kw_only=True, repr=False)
    deterministic: bool | None = field(default=None, kw_only=True, repr=False)

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True)

    def lower(self, run: Run) -> BatchExec:
        """Read as many elements as needed, reshape."""
        workers = run.workers
        # Where memory is rationed, what is not used is not kept.
        memory = Buffers(0) if workers.is_rationed else workers.kept("batches", batch_memory)
        return BatchExec(
            run.open(self.input),
            self,
            keeps_places=self._is_fused(run.options.experimental_optimization),
            memory=memory,
        )

    def _is_fused(self, settings: OptimizationOptions) -> bool:
        """Whether tf.data would fuse this with a map, and drop whole batches on a failure."""
        of_map = self.below.traits.maps and self.below.is_seen(settings)
        return of_map and settings.is_on("map_and_batch_fusion")

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

    def group(self, block: Block, first: int) -> Block:
        """Return the batches of a block; ``first`` is its first element's position."""
        splits: Sequence[Any] | None = None
        if any(map(_holds_arrays, block.columns)) and self._with_ragged_rows is not None:
            leaves = block.structure.flatten(self._with_ragged_rows)
            splits = [leaf.row_splits_dtype if _is_ragged_row(leaf) else None for leaf in leaves]
        return stack_block(block, self.batch_size, first, splits)

    @cached_property
    def _with_ragged_rows(self) -> Any:
        """The spec of the elements if rows of ragged tensors are declared among them."""
        spec = declared_spec(self.input)
        return spec if has_ragged_rows(spec) else None


def has_ragged_rows(spec: Any) -> bool:
    """Whether leaves of an element with this spec are rows of ragged tensors."""
    return spec is not None and any(map(_is_ragged_row, structure_of(spec).flatten(spec)))


def _is_ragged_row(leaf: Any) -> bool:
    return isinstance(leaf, RaggedTensorSpec) and leaf.ragged_rank == 0


def _holds_arrays(column: Column) -> bool:
    if isinstance(column, Dense):
        return column.array.ndim > 1
    if isinstance(column, Objects):
        return isinstance(column.items[0], np.ndarray)
    return not isinstance(column, Bytes)


def batch_cardinality(count: int, size: int, drop_remainder: bool) -> int:
    """Return how many batches ``count`` elements make."""
    if count < 0:
        return count
    return count // size if drop_remainder else -(-count // size)


# ---- what runs -------------------------------------------------------------


class BatchExec(GroupingExec):
    """Stacks runs of elements."""

    def __init__(self, stream: Stream, node: Batch, keeps_places: bool, memory: Buffers) -> None:
        super().__init__(stream, node.batch_size, node.drop_remainder, keeps_places, memory)
        self._node = node

    def group(self, block: Block, first: int) -> Block:
        """Stack every ``size`` elements."""
        return self._node.group(block, first)


class BatchAccess(Access):
    """Any batch, from the elements that belong to it."""

    def __init__(self, inner: Access, node: Batch) -> None:
        self._inner = inner
        self._node = node
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
        return self._node.group(block, start * size)


def stack_block(block: Block, size: int, first: int, splits: Sequence[Any] | None = None) -> Block:
    """Return the block of batches.

    Args:
        block: The elements.
        size: How many of them make a batch.
        first: The position of the first of them, for error messages.
        splits: For each leaf the dtype of row splits if batches are to be ragged there.
    """
    columns: list[Column] = []
    splits = splits or [None] * len(block.columns)
    paths = block.structure.paths()
    for column, path, dtype in zip(block.columns, paths, splits, strict=True):
        try:
            columns.append(
                column.group(size) if dtype is None else stack_ragged(column, size, dtype)
            )
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


def stack_ragged(column: Column, size: int, splits_dtype: Any) -> Column:
    """Return the column of ragged tensors made of every ``size`` rows."""
    rows = column.rows()
    starts = range(0, len(rows), size)
    return Objects([stack_rows(rows[a : a + size], splits_dtype) for a in starts])


def batch_ids(block: Block, size: int) -> Ids | None:
    """Return the ids of batches: made of the id of each one's first element."""
    return None if block.ids is None else mix_ids(block.ids[::size], _BATCH)
