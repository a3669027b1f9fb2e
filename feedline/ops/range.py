"""range: numbers at equal distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Dense
from feedline.engine.access import Access, CursorExec
from feedline.errors import BuildError, BuildTypeError, check_integer
from feedline.plan.node import Node, Traits
from feedline.spec import TensorSpec
from feedline.structure import LEAF

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["Range", "range_"]


# ---- what the user calls ---------------------------------------------------


def range_(cls: type[Dataset[Any]], *args: Any, **kwargs: Any) -> Dataset[Any]:
    """Return the numbers from ``start`` to ``stop`` (exclusive) in steps of ``step``.

    Called as Python's range: ``range(stop)``, ``range(start, stop)`` or
    ``range(start, stop, step)``.

    Args:
        args: One to three integers.
        kwargs: ``output_type``, a numeric dtype (int64), and ``name``.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(1, 8, 3)]
        [1, 4, 7]
    """
    name = kwargs.pop("name", None)
    dtype = np.dtype(kwargs.pop("output_type", np.int64))
    if kwargs:
        raise BuildTypeError(
            f"range(): unknown arguments {sorted(kwargs)}. Known: output_type, name."
        )
    if not 1 <= len(args) <= 3:
        raise BuildError(f"range(): takes 1 to 3 integers, got {len(args)} arguments.")
    if dtype.kind not in "iuf":
        raise BuildTypeError(f"range(): output_type must be a number, got {dtype}.")
    numbers = [check_integer("range()", "every argument", value) for value in args]
    start, stop = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) == 3 else 1
    if step == 0:
        raise BuildError("range(): step must not be 0.")
    return cls.of_node(Range(start, stop, step, dtype, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Range(Node):
    """Numbers from ``start`` to ``stop`` in steps of ``step``."""

    start: int
    stop: int
    step: int
    dtype: np.dtype[Any]

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    def lower(self, run: Run) -> CursorExec:
        """Seek for free."""
        return CursorExec(self.access(run))

    def access(self, run: Run) -> RangeAccess:
        """Compute any of the numbers."""
        return RangeAccess(self, run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """As Python's range."""
        return len(range(self.start, self.stop, self.step))

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """A scalar."""
        return TensorSpec((), self.dtype)


# ---- what runs -------------------------------------------------------------


class RangeAccess(Access):
    """The numbers, computed."""

    def __init__(self, node: Range, run: Run) -> None:
        self._node = node
        self._run = run
        self._length = node.cardinality(())

    def __len__(self) -> int:
        return self._length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the numbers at ``index``."""
        node = self._node
        values = (index * node.step + node.start).astype(node.dtype, copy=False)
        ids = self._run.scope.ids(index) if self._run.with_ids else None
        return Block(LEAF, (Dense(values),), len(index), ids)

    def run(self, start: int, stop: int) -> Block:
        """Return consecutive numbers."""
        if self._run.with_ids:
            return super().run(start, stop)
        node = self._node
        values = np.arange(start, stop, dtype=np.int64)
        if node.step != 1:
            values *= node.step
        if node.start:
            values += node.start
        return Block(LEAF, (Dense(values.astype(node.dtype, copy=False)),), stop - start)
