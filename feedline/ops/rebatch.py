"""rebatch: batches of other sizes, made of the rows of batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.column import Column, column_of
from feedline.engine.exec import Exec, State, UnaryExec, count_in
from feedline.engine.grouping import GroupingExec
from feedline.engine.meter import Meter
from feedline.errors import BuildError, SpecError, check_at_least
from feedline.leaf import MismatchError
from feedline.ops.arguments import check_flag
from feedline.ops.batch import batch_ids, stack_ragged
from feedline.ops.unbatch import UnbatchExec, check_batched, declared_batch_size
from feedline.plan.node import Traits, UnaryNode
from feedline.sparse import SparseTensor
from feedline.spec import RaggedTensorSpec, map_spec
from feedline.values.tensor import as_plain

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["Rebatch", "rebatch"]


# ---- what the user calls ---------------------------------------------------


def rebatch(
    self: Dataset[Any],
    batch_size: int | Sequence[int],
    drop_remainder: bool = False,
    name: str | None = None,
) -> Dataset[Any]:
    """Return the rows of the batches in batches of another size.

    The same as ``unbatch().batch(batch_size)``, and sizes may change from batch to batch.

    Args:
        batch_size: Rows per batch, or a list of sizes that is gone through again and again;
            a 0 in it stands for an empty batch.
        drop_remainder: Leave out a last batch that is not full.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [b.tolist() for b in tf.data.Dataset.range(7).batch(4).rebatch([3, 1])]
        [[0, 1, 2], [3], [4, 5, 6]]
    """
    check_batched("rebatch()", self.node)
    return self.then(
        Rebatch(
            self.node,
            _sizes(batch_size),
            check_flag("rebatch()", "drop_remainder", drop_remainder),
            name=name,
        )
    )


def _sizes(batch_size: Any) -> tuple[int, ...]:
    if not isinstance(batch_size, (list, tuple, np.ndarray)) or np.ndim(batch_size) == 0:
        return (check_at_least("rebatch()", "batch_size", batch_size, 1),)
    if np.ndim(batch_size) > 1:
        raise BuildError(
            f"rebatch(): batch_size must be an integer or a flat list, got {batch_size!r}."
        )
    if not len(batch_size):
        raise BuildError("rebatch(): batch_size must have at least one size, got an empty list.")
    sizes = tuple(check_at_least("rebatch()", "every batch_size", size, 0) for size in batch_size)
    if not any(sizes):
        raise BuildError(f"rebatch(): batch_size must have a size above 0, got {list(sizes)}.")
    return sizes


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Rebatch(UnaryNode):
    """Batches of ``batch_sizes`` in turn."""

    batch_sizes: tuple[int, ...]
    drop_remainder: bool = field(default=False)

    traits: ClassVar[Traits] = Traits(rows="any", keeps_order=True)

    def lower(self, run: Run) -> Exec:
        """Join the rows of all batches, cut them anew."""
        rows, stream = self.rows(run)
        if len(set(self.batch_sizes)) == 1:
            return EvenExec(stream, rows, self.batch_sizes[0], self.drop_remainder)
        return CycleExec(self, run)

    def rows(self, run: Run) -> tuple[UnbatchExec, Stream]:
        """Return the rows of the batches, from the start."""
        rows = UnbatchExec(run.open(self.input), "rebatch()")
        return rows, run.stream(rows, Meter(self))

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The batch size is known if all sizes are one and no batch can be short."""
        size: int | None = self.batch_sizes[0] if len(set(self.batch_sizes)) == 1 else None
        if size is not None and not self.drop_remainder:
            known = declared_batch_size(inputs[0])
            size = None if known is None or known % size else size
        return map_spec(lambda leaf: _resized(leaf, size), inputs[0])


def _resized(leaf: Any, size: int | None) -> Any:
    if isinstance(leaf, RaggedTensorSpec):
        shape = None if leaf.shape is None else (size, *leaf.shape[1:])
        return RaggedTensorSpec(shape, leaf.dtype, leaf.ragged_rank, leaf.row_splits_dtype)
    return leaf.row_spec().batch_spec(size)


# ---- what runs -------------------------------------------------------------


class EvenExec(GroupingExec):
    """Cuts rows into batches of one size."""

    def __init__(self, stream: Stream, rows: UnbatchExec, size: int, drop_remainder: bool) -> None:
        super().__init__(stream, size, drop_remainder)
        self._rows = rows

    def group(self, block: Block, first: int) -> Block:
        """Stack every ``size`` rows."""
        return _stacked(block, self._size, first, self._rows.splits)


class CycleExec(UnaryExec):
    """Cuts rows into batches of changing sizes, and knows which size is next."""

    def __init__(self, node: Rebatch, run: Run) -> None:
        self._rows, stream = node.rows(run)
        super().__init__(stream)
        self._node = node
        self._run = run
        self._next = 0
        self._ended = False
        self._empty: Block | None = None

    def pull(self, limit: int) -> Block | None:
        """Return the next batch, and more if their rows are at hand."""
        batches: list[Block] = []
        # Only the first may run the input: nothing in hand may be lost to an exception.
        while not batches or (len(batches) < limit and self.input.buffered >= max(self._size, 1)):
            batch = self._one(limit)
            if batch is None:
                break
            batches.append(batch)
        return Block.concat(batches) if batches else None

    @property
    def _size(self) -> int:
        return self._node.batch_sizes[self._next]

    def _one(self, limit: int) -> Block | None:
        if self._ended:
            return None
        size, following = self._size, (self._next + 1) % len(self._node.batch_sizes)
        if size:
            batch = self._filled(size, limit)
        else:
            self._next = following  # first: a failure here would come again and again
            batch = self._of_no_rows()
        self._ended, self._next = self._ended or batch is None, following
        return batch

    def _filled(self, size: int, limit: int) -> Block | None:
        parts: list[Block] = []
        missing = size
        while missing and (part := self.input.pull(missing, ahead=limit * size)) is not None:
            parts.append(part)
            missing -= part.length
        if missing:
            self._ended = True
            if not parts or self._node.drop_remainder:
                return None
        rows = Block.concat(parts)
        return _stacked(rows, size, self.input.position - rows.length, self._rows.splits)

    def _of_no_rows(self) -> Block | None:
        """Return a batch of no rows, like the others: for that one row must be looked at."""
        if self._empty is None:
            rows, stream = self._node.rows(self._run)
            row = stream.pull(1)
            stream.close()
            if row is None:
                return None
            batch = _stacked(row, 1, 0, rows.splits)
            leaves = (_without_rows(column.rows()[0]) for column in batch.columns)
            self._empty = replace(batch, columns=tuple(column_of([leaf]) for leaf in leaves))
        return self._empty

    def counters(self) -> State:
        """Return which size is next, and whether there are no more rows."""
        return {"next": self._next, "ended": self._ended}

    def resume(self, counters: State) -> None:
        """Go on with the next size."""
        self._next, self._ended = count_in(counters, "next"), bool(counters["ended"])


def _stacked(block: Block, size: int, first: int, splits: list[Any]) -> Block:
    """Return batches of rows; what was ragged becomes ragged again."""
    columns: list[Column] = []
    paths = block.structure.paths()
    for column, path, splits_dtype in zip(block.columns, paths, splits, strict=True):
        try:
            columns.append(
                column.group(size)
                if splits_dtype is None
                else stack_ragged(column, size, splits_dtype)
            )
        except MismatchError as error:
            where = f" at {path}" if path else ""
            raise SpecError(
                f"rebatch(): rows {error.first + first} and {error.second + first} differ{where}: "
                f"{error.texts[0]} and {error.texts[1]}. Make them equal in a map() before."
            ) from None
    count = -(-block.length // size)
    return Block(block.structure, tuple(columns), count, batch_ids(block, size))


def _without_rows(leaf: Any) -> Any:
    if isinstance(leaf, SparseTensor):
        return SparseTensor(
            leaf.plain_indices[:0], leaf.plain_values[:0], (0, *leaf.plain_shape[1:])
        )
    return None if leaf is None else as_plain(leaf[:0])
