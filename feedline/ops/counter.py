"""counter: numbers at equal distances, without an end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Dense
from feedline.engine.access import Access, CursorExec
from feedline.engine.exec import Exec, State, count_in
from feedline.errors import BuildError, BuildTypeError
from feedline.options import INFINITE_CARDINALITY
from feedline.plan.node import Node, Traits
from feedline.spec import TensorSpec
from feedline.structure import LEAF

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["Counter", "Endless", "counter"]

_MASK = (1 << 64) - 1


# ---- what the user calls ---------------------------------------------------


def counter(
    cls: type[Dataset[Any]],
    start: Any = 0,
    step: Any = 1,
    dtype: Any = np.int64,
    name: str | None = None,
) -> Dataset[Any]:
    """Return ``start``, ``start + step``, ``start + 2 * step`` and so on, for ever.

    Args:
        start: The first number.
        step: The distance between two numbers.
        dtype: The type of the numbers. An integer that grows too large wraps around.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.counter(start=10, step=-2).take(3)]
        [10, 8, 6]
    """
    kind = np.dtype(dtype)
    if kind.kind not in "iuf":
        raise BuildTypeError(f"counter(): dtype must be a number, got {kind}.")
    first, distance = _number("start", start, kind), _number("step", step, kind)
    return cls.of_node(Counter(first, distance, kind, name=name))


def _number(name: str, value: Any, dtype: np.dtype[Any]) -> Any:
    found = np.asarray(value)
    if found.shape != () or found.dtype.kind not in ("iu" if dtype.kind in "iu" else "iuf"):
        raise BuildTypeError(
            f"counter(): {name} must be a number of type {dtype}, got {value!r}. "
            "Give dtype to count in another type."
        )
    if dtype.kind == "f":
        return float(found)
    bounds = np.iinfo(dtype)
    if not bounds.min <= int(found) <= bounds.max:
        raise BuildError(f"counter(): {name} must fit {dtype}, got {value!r}.")
    return int(found)


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Counter(Node):
    """Numbers from ``start`` in steps of ``step``."""

    start: Any
    step: Any
    dtype: np.dtype[Any]

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    def lower(self, run: Run) -> Exec:
        """Integers are computed; floats are added up, to round as tf.data does."""
        return AddingExec(self, run) if self.dtype.kind == "f" else CursorExec(Counted(self, run))

    def cardinality(self, inputs: Sequence[int]) -> int:
        """There is no end."""
        return INFINITE_CARDINALITY

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """A scalar."""
        return TensorSpec((), self.dtype)


# ---- what runs -------------------------------------------------------------


class Endless(Access):
    """Scalars computed from their index, in runs; there are more than anyone can read."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __len__(self) -> int:
        return 1 << 62

    @abstractmethod
    def values(self, start: int, stop: int) -> NDArray[Any]:
        """Return the values from ``start`` to ``stop``."""

    def run(self, start: int, stop: int) -> Block:
        """Return a block of them."""
        return _block(self.values(start, stop), start, self._run)

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the values at ``index``."""
        return Block.concat([self.run(i, i + 1) for i in index.tolist()])


class Counted(Endless):
    """Integers, modulo the size of their type."""

    def __init__(self, node: Counter, run: Run) -> None:
        super().__init__(run)
        self._node = node

    def values(self, start: int, stop: int) -> NDArray[Any]:
        """Multiply and add in 64 bits without a sign, then cut off."""
        node = self._node
        index = np.arange(start, stop, dtype=np.uint64)
        values = index * np.uint64(node.step & _MASK) + np.uint64(node.start & _MASK)
        return values.astype(node.dtype)


class AddingExec(Exec):
    """Floats: each is the one before plus the step, rounded."""

    def __init__(self, node: Counter, run: Run) -> None:
        self._run = run
        self._step = node.dtype.type(node.step)
        self._at = 0
        self._next = node.dtype.type(node.start)

    def pull(self, limit: int) -> Block:
        """Add up."""
        sums = np.full(limit + 1, self._step)
        sums[0] = self._next
        np.add.accumulate(sums, out=sums)
        block = _block(sums[:limit], self._at, self._run)
        self._at += limit
        self._next = sums[limit]
        return block

    def counters(self) -> State:
        """Return how far it is, and the next number: it depends on all before."""
        return {"at": self._at, "next": float(self._next)}

    def resume(self, counters: State) -> None:
        """Go on from that number."""
        self._at = count_in(counters, "at")
        self._next = self._step.dtype.type(counters["next"])


def _block(values: NDArray[Any], start: int, run: Run) -> Block:
    ids = run.scope.ids(np.arange(start, start + len(values))) if run.with_ids else None
    return Block(LEAF, (Dense(values),), len(values), ids)
