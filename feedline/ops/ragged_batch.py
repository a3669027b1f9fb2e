"""ragged_batch: stack consecutive elements of different lengths as ragged tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Column, Dense, Objects, Ragged
from feedline.engine.access import Access
from feedline.engine.grouping import GroupAccess, GroupingExec
from feedline.errors import BuildTypeError, SpecError, check_at_least
from feedline.leaf import MismatchError, describe_leaf
from feedline.ops.arguments import check_flag
from feedline.ops.batch import batch_cardinality, batch_ids
from feedline.plan.declared import recorded_spec
from feedline.plan.node import Traits, UnaryNode
from feedline.ragged import RaggedTensor
from feedline.spec import RaggedTensorSpec, TensorSpec, array_spec, map_spec
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["RaggedBatch", "ragged_batch"]


# ---- what the user calls ---------------------------------------------------


def ragged_batch(
    self: Dataset[Any],
    batch_size: int,
    drop_remainder: bool = False,
    row_splits_dtype: Any = np.int64,
    name: str | None = None,
) -> Dataset[Any]:
    """Return ``batch_size`` consecutive elements at a time, arrays as RaggedTensors.

    A leaf whose shape is known in full is stacked as batch() does: element_spec of the input
    says so, from the source or from tracing functions. Where a function cannot be traced,
    every axis counts as ragged.

    Args:
        batch_size: Elements per batch. All must have the same dtypes and ranks.
        drop_remainder: Leave out a last batch that is not full.
        row_splits_dtype: The dtype of the row splits of new ragged tensors.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(1, 4).map(lambda x: x.repeat(x))
        >>> [b.to_list() for b in ds.ragged_batch(2)]
        [[[1], [2, 2]], [[3, 3, 3]]]
    """
    size = check_at_least("ragged_batch()", "batch_size", batch_size, 1)
    splits = np.dtype(row_splits_dtype)
    if splits.kind != "i":
        raise BuildTypeError(
            f"ragged_batch(): row_splits_dtype must be a signed integer, got {splits}."
        )
    spec = recorded_spec(self.node)
    return self.then(
        RaggedBatch(
            self.node,
            size,
            check_flag("ragged_batch()", "drop_remainder", drop_remainder),
            splits,
            spec,
            name=name,
        )
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class RaggedBatch(UnaryNode):
    """``batch_size`` consecutive elements, arrays of different lengths as ragged tensors.

    ``declared`` is what was known of the elements when the step was asked for: rules that
    change the input must not change which leaves are ragged.
    """

    batch_size: int
    drop_remainder: bool
    row_splits_dtype: np.dtype[Any]
    declared: Any = field(repr=False)

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True)

    def lower(self, run: Run) -> RaggedBatchExec:
        """Read as many elements as needed."""
        return RaggedBatchExec(run.open(self.input), self)

    def access(self, run: Run) -> Access | None:
        """Get the elements of the batches."""
        inner = self.input.access(run)
        if inner is None:
            return None
        return GroupAccess(inner, self.batch_size, self.drop_remainder, self.group)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, divided."""
        return batch_cardinality(inputs[0], self.batch_size, self.drop_remainder)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """Ragged where the input declares that lengths vary; if it declares nothing, everywhere."""
        declared = self.declared
        if declared is None:
            declared = map_spec(_with_unknown_lengths, inputs[0])
        return map_spec(self._leaf_spec, declared)

    def _leaf_spec(self, leaf: Any) -> Any:
        size = self.batch_size if self.drop_remainder else None
        rank = ragged_rank_of(leaf)
        if rank == 0:
            return leaf.batch_spec(size)
        return RaggedTensorSpec((size, *leaf.shape), leaf.dtype, rank, self.row_splits_dtype)

    def group(self, block: Block, first: int) -> Block:
        """Return the batches of a block; ``first`` is its first element's position."""
        structure, size = block.structure, self.batch_size
        specs: Sequence[Any] = [None] * structure.num_leaves
        if self.declared is not None:
            specs = structure_of(self.declared).flatten(self.declared)
        columns: list[Column] = []
        for column, spec, path in zip(block.columns, specs, structure.paths(), strict=True):
            rank = None if spec is None else ragged_rank_of(spec)
            try:
                columns.append(_group(column, size, rank, self.row_splits_dtype))
            except MismatchError as error:
                where = f" at {path}" if path else ""
                raise SpecError(
                    f"ragged_batch(): elements {error.first + first} and {error.second + first} "
                    f"do not fit together{where}: {error.texts[0]} and {error.texts[1]}."
                ) from None
        count = -(-block.length // size)
        return Block(structure, tuple(columns), count, batch_ids(block, size))


def ragged_rank_of(spec: Any) -> int:
    """Return how many axes of a batch of such leaves are ragged; 0 if it is stacked."""
    spec = array_spec(spec)
    if not isinstance(spec, TensorSpec) or spec.shape is None or None not in spec.shape:
        return 0
    return 1 + max(axis for axis, length in enumerate(spec.shape) if length is None)


def _with_unknown_lengths(spec: Any) -> Any:
    spec = array_spec(spec)
    if not isinstance(spec, TensorSpec) or spec.shape is None:
        return spec
    return TensorSpec((None,) * len(spec.shape), spec.dtype)


# ---- what runs -------------------------------------------------------------


class RaggedBatchExec(GroupingExec):
    """Makes ragged tensors of runs of elements."""

    def __init__(self, stream: Stream, node: RaggedBatch) -> None:
        super().__init__(stream, node.batch_size, node.drop_remainder)
        self._node = node

    def group(self, block: Block, first: int) -> Block:
        """Join every ``size`` elements."""
        return self._node.group(block, first)


def _group(column: Column, size: int, rank: int | None, splits_dtype: np.dtype[Any]) -> Column:
    """Return the column of batches; a ``rank`` of None makes every axis ragged."""
    if rank == 0:
        return column.group(size)
    if isinstance(column, Ragged) and (rank == 1 or (rank is None and column.values.ndim == 1)):
        return Objects(_of_ragged(column, size, splits_dtype))
    if isinstance(column, Dense):
        if column.array.ndim == 1:
            return column.group(size)
        rows = list(column.array)
    else:
        rows = column.rows()
        if not isinstance(rows[0], np.ndarray):
            return column.group(size)
    starts = range(0, len(rows), size)
    return Objects([_of_arrays(rows[a : a + size], rank, splits_dtype, a) for a in starts])


def _of_ragged(column: Ragged, size: int, splits_dtype: np.dtype[Any]) -> list[RaggedTensor]:
    batches = []
    for start in range(0, len(column), size):
        splits = column.splits[start : start + size + 1]
        values = column.values[splits[0] : splits[-1]]
        batches.append(RaggedTensor(values, (splits - splits[0]).astype(splits_dtype)))
    return batches


def _of_arrays(
    rows: list[NDArray[Any]], rank: int | None, splits_dtype: np.dtype[Any], first: int
) -> RaggedTensor:
    head = rows[0]
    levels = head.ndim if rank is None else rank
    for number, row in enumerate(rows):
        same = isinstance(row, np.ndarray) and (row.dtype, row.ndim) == (head.dtype, head.ndim)
        if not same or row.shape[levels:] != head.shape[levels:]:
            raise MismatchError(first, head, first + number, row)
    value: Any = np.concatenate([row.reshape(-1, *row.shape[levels:]) for row in rows])
    shapes = np.array([row.shape[:levels] for row in rows], np.int64)
    for level in reversed(range(levels)):
        # Rows at this level: one per element at first, then as many as the axes before hold.
        lengths = np.repeat(shapes[:, level], shapes[:, :level].prod(axis=1))
        splits = np.zeros(len(lengths) + 1, splits_dtype)
        np.cumsum(lengths, out=splits[1:])
        value = RaggedTensor(value, splits)
    assert isinstance(value, RaggedTensor), describe_leaf(head)
    return value
