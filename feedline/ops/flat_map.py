"""flat_map: make a dataset of every element and join them one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Column, Dense
from feedline.engine.function import given_function
from feedline.errors import SpecError
from feedline.graph.untraceable import Untraceable
from feedline.ops.calling import DatasetMakingNode
from feedline.ops.in_memory import InMemoryNode
from feedline.ops.interleave import InterleaveExec
from feedline.plan.node import Traits, node_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.options import Options

__all__ = ["FlatMap", "flat_map"]

# How many elements are taken of one dataset before the next has its turn: all of them.
_WHOLE = 1 << 62

S = TypeVar("S")


# ---- what the user calls ---------------------------------------------------


def flat_map(
    self: Dataset[Any], map_func: Callable[..., Dataset[S]], name: str | None = None
) -> Dataset[S]:
    """Return the elements of the datasets ``map_func`` makes, one dataset after the other.

    Args:
        map_func: Makes a dataset of an element.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
        >>> [int(x) for x in ds.flat_map(tf.data.Dataset.from_tensor_slices)]
        [1, 2, 3, 4]
    """
    map_func = given_function("flat_map()", "map_func", map_func)
    return self.then(FlatMap(self.node, map_func, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class FlatMap(DatasetMakingNode):
    """The elements of datasets made by ``fn``, one dataset after the other."""

    traits: ClassVar[Traits] = Traits(rows="any", calls_user=True, makes_datasets=True)

    def lower(self, run: Run) -> FlatMapExec:
        """As an interleave that never turns to the next dataset before the end of one."""
        return FlatMapExec(self, run)

    def how_it_runs(self, inputs: Sequence[Any] | None, options: Options) -> str | None:
        """At once if all the function does is to make slices of arrays."""
        if self.vectorizer.is_running:
            return "vectorised"
        refusal = self.vectorizer.refusal
        return None if refusal is None else f"plain Python: {refusal}"


# ---- what runs -------------------------------------------------------------


class FlatMapExec(InterleaveExec):
    """Opens one dataset after the other, or makes the elements of many at once."""

    def __init__(self, node: FlatMap, run: Run) -> None:
        super().__init__(
            run.open(node.input),
            node.plain_function_in(run),
            run,
            node.number,
            cycle_length=1,
            block_length=_WHOLE,
        )
        self._for_many = node.function_in(run)
        self._per_parent = 1

    def pull(self, limit: int) -> Block | None:
        """Return the next elements."""
        if self._for_many.may_run_at_once:
            self.close_ended()
        while self.is_between and self._for_many.may_run_at_once:
            parents = self.source.pull(max(1, limit // self._per_parent))
            if parents is None:
                break
            elements = self._elements_of(parents)
            if elements is None:
                self.source.give_back(parents.length)
                break
            if elements.length:
                self._per_parent = max(1, elements.length // parents.length)
                return elements
        return super().pull(limit)

    def _elements_of(self, parents: Block) -> Block | None:
        """Return the elements of the datasets of many parents, None to open one by one."""
        tensors = self._for_many.at_once(parents, self._key, tensors_of=_tensors_of)
        if tensors is None:
            return None
        try:
            columns, counts = _slices(tensors)
        except SpecError:
            return None
        ids = None if parents.ids is None else self._run.scope.child_ids(parents.ids, counts)
        return Block(tensors.structure, columns, int(counts.sum()), ids)


def _slices(tensors: Block) -> tuple[tuple[Column, ...], NDArray[np.int64]]:
    """Return the columns of the slices of many arrays, and how many there are of each."""
    split = [column.ungroup() for column in tensors.columns]
    counts = split[0][1]
    if any(not np.array_equal(counts, other) for _, other in split):
        raise SpecError("arrays of different lengths")
    return tuple(column for column, _ in split), counts


def _tensors_of(dataset: Any) -> Any:
    """Return the arrays a dataset is made of, if it is one of their slices."""
    node = node_of(dataset, "flat_map()", "what map_func returns")
    if not isinstance(node, InMemoryNode):
        raise Untraceable("does not return the slices of arrays")
    columns = node.block.columns
    if not all(isinstance(column, Dense) for column in columns):
        raise Untraceable("makes slices of what is no array")
    return node.block.structure.pack([getattr(column, "array", None) for column in columns])
