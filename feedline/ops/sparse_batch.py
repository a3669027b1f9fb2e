"""sparse_batch: join consecutive arrays of different shapes as sparse tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, Objects, Ragged
from feedline.engine.access import Access
from feedline.engine.grouping import GroupAccess, GroupingExec
from feedline.errors import BuildTypeError, SpecError, TooLongError, check_at_least
from feedline.leaf import describe_leaf
from feedline.ops.batch import batch_cardinality, batch_ids
from feedline.plan.declared import declared_spec
from feedline.plan.node import Traits, UnaryNode
from feedline.sparse import SparseTensor
from feedline.spec import SparseTensorSpec, as_shape
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["SparseBatch", "sparse_batch"]


# ---- what the user calls ---------------------------------------------------


def sparse_batch(
    self: Dataset[Any], batch_size: int, row_shape: Any, name: str | None = None
) -> Dataset[Any]:
    """Return ``batch_size`` consecutive arrays at a time, joined in a SparseTensor.

    Every value of an array is stored, zeros too: what is left out is what lies beyond it.

    Args:
        batch_size: Elements per batch. Elements must be single arrays of one rank.
        row_shape: The shape of a row of the result; None for an axis takes the longest
            of the batch.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(1, 3).map(lambda x: x.repeat(x))
        >>> (batch,) = ds.sparse_batch(2, [4])
        >>> tf.sparse.to_dense(batch).tolist()
        [[1, 0, 0, 0], [2, 2, 0, 0]]
    """
    size = check_at_least("sparse_batch()", "batch_size", batch_size, 1)
    shape = as_shape(row_shape)
    if shape is None:
        raise BuildTypeError("sparse_batch(): row_shape must be a list of lengths, got None.")
    if (spec := declared_spec(self.node)) is not None and not structure_of(spec).is_leaf:
        raise BuildTypeError(
            f"sparse_batch(): elements must be single arrays, got {structure_of(spec)}. "
            "Take one leaf in a map() before."
        )
    return self.then(SparseBatch(self.node, size, shape, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class SparseBatch(UnaryNode):
    """``batch_size`` consecutive arrays as one sparse tensor."""

    batch_size: int
    row_shape: tuple[int | None, ...]

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True)

    def lower(self, run: Run) -> SparseBatchExec:
        """Read as many elements as needed."""
        return SparseBatchExec(run.open(self.input), self)

    def access(self, run: Run) -> Access | None:
        """Get the elements of the batches."""
        inner = self.input.access(run)
        return None if inner is None else GroupAccess(inner, self.batch_size, False, self.group)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, divided."""
        return batch_cardinality(inputs[0], self.batch_size, False)

    def spec(self, inputs: Sequence[Any]) -> SparseTensorSpec:
        """Rows of the given shape."""
        return SparseTensorSpec((None, *self.row_shape), inputs[0].dtype)

    def group(self, block: Block, first: int) -> Block:
        """Return the batches of a block; ``first`` is its first element's position."""
        if not block.structure.is_leaf:
            raise SpecError(
                f"sparse_batch(): elements must be single arrays, got {block.structure}. "
                "Take one leaf in a map() before."
            )
        size, column = self.batch_size, block.columns[0]
        starts = range(0, block.length, size)
        batches = [self._join(column.slice(a, a + size), first + a) for a in starts]
        return Block(block.structure, (Objects(batches),), len(batches), batch_ids(block, size))

    def _join(self, column: Column, first: int) -> SparseTensor:
        if isinstance(column, Ragged) and column.values.ndim == 1:
            return self._join_ragged(column, first)
        rows = list(column.array) if isinstance(column, Dense) else column.rows()
        for number, row in enumerate(rows):
            self._check(np.shape(row), row, first + number)
        shapes = [np.shape(row) for row in rows]
        index = [
            np.column_stack([np.full(int(np.prod(shape)), number), *_places(shape)])
            for number, shape in enumerate(shapes)
        ]
        values = np.concatenate([np.asarray(row, _dtype(row)).reshape(-1) for row in rows])
        return SparseTensor(np.concatenate(index), values, [len(rows), *self._row(shapes)])

    def _join_ragged(self, column: Ragged, first: int) -> SparseTensor:
        splits, lengths = column.splits, column.lengths
        room = next(iter(self.row_shape), None)
        at = 0 if room is None else int(np.argmax(lengths > room))
        (row,) = column.slice(at, at + 1).rows()
        self._check(row.shape, row, first + at)
        shape = (int(lengths.max()),)
        number = np.repeat(np.arange(len(lengths)), lengths)
        place = np.arange(splits[0], splits[-1]) - np.repeat(splits[:-1], lengths)
        return SparseTensor(
            np.column_stack([number, place]),
            column.values[splits[0] : splits[-1]],
            [len(lengths), *self._row([shape])],
        )

    def _row(self, shapes: list[tuple[int, ...]]) -> list[int]:
        longest = map(max, zip(*shapes, strict=True))
        pairs = zip(self.row_shape, longest, strict=True)
        return [n if wanted is None else wanted for wanted, n in pairs]

    def _check(self, shape: tuple[int, ...], row: Any, number: int) -> None:
        wanted = self.row_shape
        if not isinstance(row, (np.ndarray, np.generic, str, bytes)):
            problem = "not an array"
        elif len(shape) != len(wanted):
            problem = "of another rank"
        elif any(w is not None and n > w for n, w in zip(shape, wanted, strict=True)):
            problem = "larger"
        else:
            return
        raise (TooLongError if problem == "larger" else SpecError)(
            f"sparse_batch(): element {number} is {problem}: {describe_leaf(row)}, but row_shape "
            f"is {wanted}."
        )


# ---- what runs -------------------------------------------------------------


class SparseBatchExec(GroupingExec):
    """Makes sparse tensors of runs of elements."""

    def __init__(self, stream: Stream, node: SparseBatch) -> None:
        super().__init__(stream, node.batch_size, drop_remainder=False)
        self._node = node

    def group(self, block: Block, first: int) -> Block:
        """Join every ``size`` elements."""
        return self._node.group(block, first)


def _places(shape: tuple[int, ...]) -> list[Any]:
    return [axis.reshape(-1) for axis in np.indices(shape)]


def _dtype(row: Any) -> Any:
    return getattr(row, "dtype", object)
