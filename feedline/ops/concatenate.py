"""concatenate: the elements of one dataset, then those of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access
from feedline.engine.exec import Exec, State
from feedline.ops.several import check_specs_agree, tell_apart
from feedline.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
from feedline.plan.node import NaryNode, NumberedNode, Traits, node_of
from feedline.plan.rewrite import kept_fold
from feedline.spec import merge_specs
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.plan.node import Node

__all__ = ["Concatenate", "concatenate"]

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def concatenate(self: Dataset[T], dataset: Dataset[T], name: str | None = None) -> Dataset[T]:
    """Return all elements of this dataset, then all of ``dataset``.

    Args:
        dataset: Its elements must have the same structure and dtypes; shapes may differ.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(5, 7))
        >>> [int(x) for x in ds]
        [0, 1, 5, 6]
    """
    nodes = (self.node, node_of(dataset, "concatenate()", "dataset"))
    spec = check_specs_agree("concatenate()", nodes)
    # Counted here, on the plan as asked: no rule may change what tells the ids apart.
    before = kept_fold(self.node, "num_sources", _num_sources)
    structure = None if spec is None else structure_of(spec)
    return self.then(Concatenate(nodes, before, structure, name=name))


def _num_sources(node: Node, inputs: list[int]) -> int:
    return sum(inputs) if node.inputs else 1


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Concatenate(NaryNode, NumberedNode):
    """The first input, then the second. ``before`` is the number of sources in the first."""

    before: int = field(repr=False)
    structure: Structure | None = field(repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    def lower(self, run: Run) -> ConcatenateExec:
        """Read the second when the first has ended."""
        return ConcatenateExec(self, run)

    def access(self, run: Run) -> Access | None:
        """The places of the first come before those of the second."""
        first, second = (node.access(run) for node in self.sources)
        if first is None or second is None:
            return None
        return ConcatenateAccess(first, second, self)

    def second(self, block: Block, structure: Structure | None) -> Block:
        """Return a block of the second input as it comes out: ids and order of keys."""
        if structure is not None:
            block = block.aligned(structure)
        return tell_apart(block, self, self.before)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The sum."""
        if INFINITE_CARDINALITY in inputs:
            return INFINITE_CARDINALITY
        return UNKNOWN_CARDINALITY if UNKNOWN_CARDINALITY in inputs else sum(inputs)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """What covers both."""
        return merge_specs(inputs)


# ---- what runs -------------------------------------------------------------


class ConcatenateExec(Exec):
    """Two inputs, and which of them is read."""

    def __init__(self, node: Concatenate, run: Run) -> None:
        self._node = node
        self._first, self._second = (run.open(source) for source in node.sources)
        self.inputs = (self._first, self._second)
        self._first_ended = False
        self._structure = node.structure

    def pull(self, limit: int) -> Block | None:
        """Read the first input until it ends, then the second."""
        if not self._first_ended:
            block = self._first.pull(limit)
            if block is not None:
                self._structure = block.structure
                return block
            self._first_ended = True
        block = self._second.pull(limit)
        return None if block is None else self._node.second(block, self._structure)

    def skip(self, count: int) -> int:
        """Skip in the first input, then in the second."""
        gone = 0 if self._first_ended else self._first.discard(count)
        if gone < count:
            self._first_ended = True
            gone += self._second.discard(count - gone)
        return gone

    def counters(self) -> State:
        """Return which input is read: one that has ended need not be opened again."""
        return {"second": self._first_ended}

    def resume(self, counters: State) -> None:
        """Go on in that input."""
        self._first_ended = bool(counters["second"])


class ConcatenateAccess(Access):
    """The elements of two accesses, one after the other."""

    def __init__(self, first: Access, second: Access, node: Concatenate) -> None:
        self._first = first
        self._second = second
        self._node = node
        self._cut = len(first)
        self.calls_user = first.calls_user or second.calls_user

    def __len__(self) -> int:
        return self._cut + len(self._second)

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Gather from both, then bring the elements in order."""
        in_second = index >= self._cut
        if not in_second.any():
            return self._first.gather(index)
        second = self._node.second(
            self._second.gather(index[in_second] - self._cut), self._node.structure
        )
        if in_second.all():
            return second
        first = self._first.gather(index[~in_second])
        place = np.empty(len(index), np.int64)
        place[~in_second] = np.arange(first.length)
        place[in_second] = np.arange(first.length, len(index))
        return Block.concat([first, second]).take(place)

    def run(self, start: int, stop: int) -> Block:
        """Take a run of one, or of both where it crosses over."""
        cut = self._cut
        if stop <= cut:
            return self._first.run(start, stop)
        second = self._node.second(
            self._second.run(max(start - cut, 0), stop - cut), self._node.structure
        )
        if start >= cut:
            return second
        return Block.concat([self._first.run(start, cut), second])
