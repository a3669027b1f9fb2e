"""unbatch: split every element along its first axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Column, Dense, Objects
from feedline.engine.exec import State, UnaryExec, count_in
from feedline.errors import SpecError
from feedline.ids import Ids, mix_ids
from feedline.leaf import describe_leaf
from feedline.options import UNKNOWN_CARDINALITY
from feedline.plan.declared import declared_spec, recorded_spec
from feedline.plan.node import Node, Traits, UnaryNode
from feedline.ragged import RaggedTensor
from feedline.spec import NoneTensorSpec, SparseTensorSpec, map_spec
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["Unbatch", "UnbatchExec", "check_batched", "declared_batch_size", "unbatch"]

_UNBATCH = 0x0BA7C4
# A large odd number: places in a batch, times it, are far apart from each other.
_PLACE = np.uint64(0xD1342543DE82EF95)


# ---- what the user calls ---------------------------------------------------


def unbatch(self: Dataset[Any], name: str | None = None) -> Dataset[Any]:
    """Return the slices of every element along its first axis, one after the other.

    Args:
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(5).batch(3).unbatch()]
        [0, 1, 2, 3, 4]
    """
    check_batched("unbatch()", self.node)
    return self.then(Unbatch(self.node, name=name))


def check_batched(call: str, node: Node) -> None:
    """Raise SpecError if the elements are known to have no common first axis."""
    spec = declared_spec(node)
    if spec is None:
        return
    structure = structure_of(spec)
    sizes = {}
    for leaf, path in zip(structure.flatten(spec), structure.paths(), strict=True):
        if isinstance(leaf, NoneTensorSpec):
            continue
        if leaf.shape == ():
            raise SpecError(
                f"{call}: every leaf must have a first axis, but {_named(path)} is {leaf}. "
                "Use batch() before."
            )
        if leaf.shape is not None and leaf.shape[0] is not None:
            sizes[path] = leaf.shape[0]
    if len(set(sizes.values())) > 1:
        found = ", ".join(f"{_named(path)}: {size}" for path, size in sizes.items())
        raise SpecError(f"{call}: the first axis must be equally long in all leaves, got {found}.")


def declared_batch_size(spec: Any, of_sparse: bool = True) -> int | None:
    """Return the length of the first axis if the spec tells it.

    Args:
        spec: Of the batches.
        of_sparse: Whether sparse leaves tell too. tf.data does not always look at them.
    """
    leaves = structure_of(spec).flatten(spec)
    if not of_sparse:
        leaves = [leaf for leaf in leaves if not isinstance(leaf, SparseTensorSpec)]
    sizes = [leaf.shape[0] for leaf in leaves if leaf.shape]
    return next((size for size in sizes if size is not None), None)


def _named(path: str) -> str:
    return path or "the element"


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Unbatch(UnaryNode):
    """The slices of every element."""

    traits: ClassVar[Traits] = Traits(rows="any", keeps_order=True)

    def lower(self, run: Run) -> UnbatchExec:
        """Join axes: nothing is copied."""
        return UnbatchExec(run.open(self.input))

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's times the batch size, if that is known."""
        if inputs[0] < 0:
            return inputs[0]
        spec = recorded_spec(self.input)
        size = None if spec is None else declared_batch_size(spec, of_sparse=False)
        return UNKNOWN_CARDINALITY if size is None else inputs[0] * size

    def spec(self, inputs: Sequence[Any]) -> Any:
        """One slice."""
        return map_spec(lambda leaf: leaf.row_spec(), inputs[0])


_UNKNOWN = 1 << 62


# ---- what runs -------------------------------------------------------------


class UnbatchExec(UnaryExec):
    """The slices of the batches read last, and how many of them are out."""

    def __init__(self, stream: Stream, call: str = "unbatch()") -> None:
        super().__init__(stream)
        self._call = call
        # For each leaf, the dtype of its row splits if the batches are ragged there.
        self.splits: list[Any] = []
        self._slices: Block | None = None
        self._used = 0
        self._before: State = {}
        # How many slices a batch has; before the first is seen, enough for any number asked for.
        self._per_batch = _UNKNOWN

    def pull(self, limit: int) -> Block | None:
        """Return the next slices."""
        while self._slices is None or self._used == self._slices.length:
            self._before, self._used = self.input.state(), 0
            self._slices = None
            batches = self.input.pull(max(1, limit // self._per_batch))
            if batches is None:
                return None
            if not self.splits:
                self.splits = [_splits_dtype(column) for column in batches.columns]
            self._slices = self._split(batches)
        start, self._used = self._used, min(self._used + limit, self._slices.length)
        return self._slices.slice(start, self._used)

    def _split(self, batches: Block) -> Block:
        try:
            slices = split_batches(batches, self._call)
        except SpecError:
            return self._good_part(batches)
        # A short batch says little of the next. Steps that batch and unbatch in turn would each
        # ask for more than the one before.
        known = 1 if self._per_batch == _UNKNOWN else self._per_batch // 2
        self._per_batch = max(1, known, slices.length // batches.length)
        return slices

    def _good_part(self, batches: Block) -> Block:
        """Return the slices of the batches before the first bad one; raise if that is the first."""
        for number in range(batches.length):
            try:
                split_batches(batches.slice(number, number + 1), self._call)
            except SpecError:
                if number == 0:
                    self.input.give_back(batches.length - 1)
                    raise
                self.input.give_back(batches.length - number)
                return split_batches(batches.slice(0, number), self._call)
        raise AssertionError("batches that can be split one by one can be split together")

    def state(self) -> State:
        """Point before the batches whose slices are not all out."""
        if self._slices is None or self._used == self._slices.length:
            return {"in": [self.input.state()]}
        return {"in": [self._before], "used": self._used}

    def resume(self, counters: State) -> None:
        """Go past the slices that were out."""
        if used := count_in(counters, "used", missing=0):
            self.skip(used)


def split_batches(batches: Block, call: str) -> Block:
    """Return the block of the slices of some batches."""
    columns: list[Column | None] = []
    counts: NDArray[np.int64] | None = None
    for column, path in zip(batches.columns, batches.structure.paths(), strict=True):
        if isinstance(column, Objects) and column.items[0] is None:
            columns.append(None)
            continue
        slices, lengths = _ungrouped(column, path, call)
        if counts is None:
            counts = lengths
        elif not np.array_equal(counts, lengths):
            at = int(np.flatnonzero(counts != lengths)[0])
            raise SpecError(
                f"{call}: the first axis must be equally long in all leaves, "
                f"got {counts[at]} and, at {path}, {lengths[at]}."
            )
        columns.append(slices)
    if counts is None:
        raise SpecError(f"{call}: the elements have no leaves to split.")
    length = int(counts.sum())
    # A batch of Nones is None: as many as there are slices beside it.
    nones = Objects([None] * length)
    filled = tuple(nones if column is None else column for column in columns)
    return Block(batches.structure, filled, length, _slice_ids(batches.ids, counts))


def _ungrouped(column: Column, path: str, call: str) -> tuple[Column, NDArray[np.int64]]:
    try:
        if not isinstance(column, Dense) or column.array.ndim > 1:
            return column.ungroup()
    except TypeError:
        pass
    shown = describe_leaf(column.slice(0, 1).rows()[0])
    raise SpecError(
        f"{call}: every leaf must have a first axis, but {_named(path)} is {shown}. "
        "Use batch() before."
    )


def _splits_dtype(column: Column) -> Any:
    first = column.slice(0, 1).rows()[0] if isinstance(column, Objects) else None
    return first.plain_splits.dtype if isinstance(first, RaggedTensor) else None


def _slice_ids(ids: Ids | None, counts: NDArray[np.int64]) -> Ids | None:
    """Return ids made of the batch's and the place in it."""
    if ids is None:
        return None
    firsts = np.cumsum(counts) - counts
    places = np.arange(counts.sum()) - np.repeat(firsts, counts)
    return mix_ids(np.repeat(ids, counts) + places.astype(np.uint64) * _PLACE, _UNBATCH)
