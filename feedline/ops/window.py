"""window: make datasets of neighbouring elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, Objects
from feedline.engine.access import Access
from feedline.engine.exec import Exec
from feedline.engine.sliding import Sliding, SlidingAccess, SlidingCursorExec, SlidingExec
from feedline.errors import check_at_least
from feedline.ids import Ids, mix_ids
from feedline.ops.arguments import check_flag
from feedline.ops.rows import Rows
from feedline.plan.declared import declared_spec
from feedline.plan.node import Traits, UnaryNode
from feedline.spec import DatasetSpec, map_spec
from feedline.structure import LEAF, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["Window", "rows_of_window", "slide", "window", "window_ids"]

_WINDOW = 0x814D0


# ---- what the user calls ---------------------------------------------------


def window(
    self: Dataset[Any],
    size: int,
    shift: int | None = None,
    stride: int = 1,
    drop_remainder: bool = False,
    name: str | None = None,
) -> Dataset[Any]:
    """Return datasets of ``size`` neighbouring elements each.

    An element is a dataset, or for structured elements that structure of datasets, one
    per leaf. ``flat_map(lambda w: w.batch(size))`` makes arrays of them, without copying.

    Args:
        size: Elements per window; the last windows may have fewer.
        shift: How far each window begins after the one before; ``size`` by default.
        stride: The distance of neighbours within a window.
        drop_remainder: Leave out windows that are not full.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(5).window(3, shift=1, drop_remainder=True)
        >>> [[int(x) for x in w] for w in ds]
        [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    """
    size = check_at_least("window()", "size", size, 1)
    shift = size if shift is None else check_at_least("window()", "shift", shift, 1)
    stride = check_at_least("window()", "stride", stride, 1)
    node = Window(
        self.node,
        size,
        shift,
        stride,
        check_flag("window()", "drop_remainder", drop_remainder),
        type(self),
        name=name,
    )
    return self.then(node)


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Window(UnaryNode):
    """Datasets of neighbouring elements; ``dataset`` is the class to make them of."""

    size: int
    shift: int
    stride: int
    drop_remainder: bool
    dataset: type[Dataset[Any]] = field(repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    @property
    def sliding(self) -> Sliding:
        """Where the windows lie."""
        return Sliding(self.size, self.shift, self.stride, self.drop_remainder)

    def lower(self, run: Run) -> Exec:
        """Cut windows out of what is read, once."""
        return slide(self, self.sliding, run, self._cutter())

    def access(self, run: Run) -> Access | None:
        """Get the elements of the windows."""
        inner = self.input.access(run)
        return None if inner is None else SlidingAccess(inner, self.sliding, self._cutter())

    def _cutter(self) -> DatasetCutter:
        return DatasetCutter(self, declared_spec(self.input))

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, counted in windows."""
        return inputs[0] if inputs[0] < 0 else self.sliding.count(inputs[0])

    def spec(self, inputs: Sequence[Any]) -> Any:
        """A dataset for every leaf."""
        return map_spec(DatasetSpec, inputs[0])


# ---- what runs -------------------------------------------------------------


class DatasetCutter:
    """Makes the datasets of windows, each over a view of the block."""

    def __init__(self, node: Window, element_spec: Any) -> None:
        self._node = node
        self._sliding = node.sliding
        self._specs: list[Any] | None = None
        if element_spec is not None:
            self._specs = structure_of(element_spec).flatten(element_spec)

    def __call__(self, block: Block, count: int) -> Block:
        """Return an element for each of the first ``count`` windows."""
        sliding = self._sliding
        starts = range(0, count * sliding.shift, sliding.shift)
        specs = self._specs or [None] * len(block.columns)
        columns = tuple(
            Objects([self._dataset(column, start, spec) for start in starts])
            for column, spec in zip(block.columns, specs, strict=True)
        )
        return Block(block.structure, columns, count, window_ids(block, count, sliding))

    def _dataset(self, column: Column, start: int, spec: Any) -> Dataset[Any]:
        node = self._node
        rows = rows_of_window(column, start, self._sliding)
        return node.dataset.of_node(Rows(Block(LEAF, (rows,), len(rows)), spec, site=node.site))


def rows_of_window(column: Column, start: int, sliding: Sliding) -> Column:
    """Return the values of the window that begins at ``start``: a view where possible."""
    stop = min(start + sliding.span, len(column))
    if sliding.stride == 1:
        return column.slice(start, stop)
    if isinstance(column, Dense):
        return Dense(column.array[start : stop : sliding.stride])
    return column.take(np.arange(start, stop, sliding.stride))


def window_ids(block: Block, count: int, sliding: Sliding) -> Ids | None:
    """Return the ids of windows: made of the id of each one's first element."""
    if block.ids is None:
        return None
    return mix_ids(block.ids[: count * sliding.shift : sliding.shift], _WINDOW)


def slide(node: UnaryNode, sliding: Sliding, run: Run, cut: Any) -> Exec:
    """Return the operator that cuts windows: by index if that runs no function twice."""
    inner = node.input.access(run)
    if inner is None or inner.calls_user:
        return SlidingExec(run.open(node.input), sliding, cut)
    return SlidingCursorExec(SlidingAccess(inner, sliding, cut))
