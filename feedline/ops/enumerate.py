"""enumerate: number the elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Dense
from feedline.engine.access import Access
from feedline.engine.exec import State, UnaryExec, count_in
from feedline.errors import BuildError, check_integer
from feedline.plan.node import Traits, UnaryNode
from feedline.spec import TensorSpec
from feedline.structure import LEAF, Structure

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["Enumerate", "enumerate_"]

_LAST = int(np.iinfo(np.int64).max)

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def enumerate_(
    self: Dataset[T], start: int = 0, name: str | None = None
) -> Dataset[tuple[np.int64, T]]:
    """Return pairs of a number and an element, the numbers rising by one from ``start``.

    The numbers are int64 and end before the largest one, as tf.data's do.

    Args:
        start: The number of the first element.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> list(tf.data.Dataset.from_tensor_slices(["a", "b"]).enumerate(start=5))
        [(np.int64(5), 'a'), (np.int64(6), 'b')]
    """
    first = check_integer("enumerate()", "start", start)
    if not -_LAST - 1 <= first <= _LAST:
        raise BuildError(f"enumerate(): start must fit int64, got {first}.")
    return self.then(Enumerate(self.node, first, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Enumerate(UnaryNode):
    """Pairs of a number and an element."""

    start: int

    traits: ClassVar[Traits] = Traits(rows="same", keeps_order=True)

    def lower(self, run: Run) -> EnumerateExec:
        """The number is the position in the input."""
        return EnumerateExec(run.open(self.input), self.start)

    def access(self, run: Run) -> Access | None:
        """The index says the number."""
        inner = self.input.access(run)
        return None if inner is None else EnumerateAccess(inner, self.start)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, unless the numbers end before."""
        return min(inputs[0], _LAST - self.start)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """A pair."""
        return TensorSpec((), np.int64), inputs[0]


# ---- what runs -------------------------------------------------------------


class EnumerateExec(UnaryExec):
    """Puts a column of numbers before the others."""

    def __init__(self, stream: Stream, start: int) -> None:
        super().__init__(stream)
        self._start = start
        # An element that failed had a number too: those after it do not change theirs.
        self._failures = 0

    def pull(self, limit: int) -> Block | None:
        """Number the next elements."""
        first = self._start + self._failures + self.input.position
        if first >= _LAST:
            return None
        try:
            block = self.input.pull(min(limit, _LAST - first))
        except Exception:
            self._failures += 1
            raise
        if block is None:
            return None
        return _numbered(block, np.arange(first, first + block.length, dtype=np.int64))

    def skip(self, count: int) -> int:
        """Skip in the input."""
        return self.input.discard(count)

    def counters(self) -> State:
        """Return how many elements failed; how many did not, the input knows."""
        return {"failed": self._failures} if self._failures else {}

    def resume(self, counters: State) -> None:
        """Go on counting."""
        self._failures = count_in(counters, "failed", missing=0)


class EnumerateAccess(Access):
    """The elements of another Access with their indices."""

    def __init__(self, inner: Access, start: int) -> None:
        self._inner = inner
        self._start = start
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return len(self._inner)

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return pairs."""
        return _numbered(self._inner.gather(index), index + self._start)

    def run(self, start: int, stop: int) -> Block:
        """Return consecutive pairs."""
        return _numbered(self._inner.run(start, stop), np.arange(start, stop) + self._start)


def _numbered(block: Block, numbers: NDArray[np.int64]) -> Block:
    structure = Structure(tuple, (0, 1), (LEAF, block.structure))
    return Block(structure, (Dense(numbers), *block.columns), block.length, block.ids)
