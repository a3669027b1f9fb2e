"""zip: take one element of each of several datasets at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access
from feedline.engine.exec import Exec
from feedline.errors import BuildTypeError
from feedline.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
from feedline.plan.node import NaryNode, Traits, node_of
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["Zip", "zip_"]


# ---- what the user calls ---------------------------------------------------


def zip_(
    cls: type[Dataset[Any]], *args: Any, datasets: Any = None, name: str | None = None
) -> Dataset[Any]:
    """Return one element of every dataset at a time, in the structure the datasets stand in.

    It ends with the shortest of them.

    Args:
        args: Datasets, or nested structures of datasets.
        datasets: The same as one nested structure, instead of ``args``.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> a, b = tf.data.Dataset.range(2), tf.data.Dataset.range(5, 9)
        >>> list(tf.data.Dataset.zip(a, {"b": b}))
        [(np.int64(0), {'b': np.int64(5)}), (np.int64(1), {'b': np.int64(6)})]
    """
    if args and datasets is not None:
        raise BuildTypeError("zip(): give datasets as arguments or as datasets=, not both.")
    if not args and datasets is None:
        raise BuildTypeError("zip(): needs at least one dataset, got none.")
    given = datasets if datasets is not None else args[0] if len(args) == 1 else args
    structure = structure_of(given)
    leaves = structure.flatten(given)
    if not leaves:
        raise BuildTypeError(f"zip(): needs at least one dataset, got {given!r}.")
    if any(isinstance(leaf, list) for leaf in leaves):
        raise BuildTypeError("zip(): a list of datasets has no structure. Use a tuple.")
    nodes = [node_of(leaf, "zip()", "everything in the structure") for leaf in leaves]
    places = tuple(structure.places_by_key())
    return cls.of_node(Zip(tuple(nodes[place] for place in places), structure, places, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Zip(NaryNode):
    """One element of every input at a time; the inputs are the leaves of ``structure``.

    They are opened and read in the order of tf.data, dicts by their keys: ``places`` has the
    leaf that each input is. One shuffled dataset in several places has an order for each.
    """

    structure: Structure = field(repr=False)
    places: tuple[int, ...] = field(repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    @property
    def signature(self) -> str:
        """The structure counts."""
        return f"{self.operator}({self.structure})"

    def lower(self, run: Run) -> ZipExec:
        """Read equally much of all inputs."""
        return ZipExec([run.open(node) for node in self.sources], self)

    def access(self, run: Run) -> Access | None:
        """Get the elements of all inputs."""
        found = [node.access(run) for node in self.sources]
        inner = [access for access in found if access is not None]
        return ZipAccess(inner, self) if len(inner) == len(found) else None

    def cardinality(self, inputs: Sequence[int]) -> int:
        """That of the shortest."""
        if UNKNOWN_CARDINALITY in inputs:
            return UNKNOWN_CARDINALITY
        finite = [count for count in inputs if count != INFINITE_CARDINALITY]
        return min(finite) if finite else INFINITE_CARDINALITY

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The inputs', in their places."""
        return self.structure.pack(self.in_place(inputs))

    def side_by_side(self, blocks: list[Block]) -> Block:
        """Return one block with the columns of a block of each input; the ids are the first's."""
        placed = self.in_place(blocks)
        structure = _grafted(self.structure, iter([block.structure for block in placed]))
        columns = tuple(column for block in placed for column in block.columns)
        return Block(structure, columns, blocks[0].length, placed[0].ids)

    def in_place(self, values: Sequence[Any]) -> list[Any]:
        """Return what belongs to the inputs in the order of the leaves."""
        return [values[self.places.index(place)] for place in range(len(values))]


# ---- what runs -------------------------------------------------------------


class ZipExec(Exec):
    """Reads as much of every input as the one that gives least has ready."""

    def __init__(self, streams: Sequence[Stream], node: Zip) -> None:
        self.inputs = tuple(streams)
        self._node = node

    def pull(self, limit: int) -> Block | None:
        """Put the next elements of all inputs side by side."""
        blocks: list[Block] = []
        for number, stream in enumerate(self.inputs):
            try:
                block = stream.pull(limit)
            except Exception:
                # Every input goes on by one, to keep them in step.
                self._give_back(blocks, 1)
                self._read_one(number + 1)
                raise
            if block is None:
                # As many reads of every input: a cache() in the next one sees its own end.
                self._read_one(number + 1)
                return None
            blocks.append(block)
            limit = block.length
        self._give_back(blocks, limit)
        return self._node.side_by_side([block.slice(0, limit) for block in blocks])

    def _give_back(self, blocks: list[Block], used: int) -> None:
        for stream, block in zip(self.inputs, blocks, strict=False):
            stream.give_back(block.length - used)

    def _read_one(self, first: int) -> None:
        for stream in self.inputs[first:]:
            with suppress(Exception):
                stream.pull(1)


class ZipAccess(Access):
    """Elements of several accesses at the same index."""

    def __init__(self, inner: list[Access], node: Zip) -> None:
        self._inner = inner
        self._node = node
        self._length = min(map(len, inner))
        self.calls_user = any(access.calls_user for access in inner)

    def __len__(self) -> int:
        return self._length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Gather from all."""
        return self._node.side_by_side([access.gather(index) for access in self._inner])

    def run(self, start: int, stop: int) -> Block:
        """Take the same run of all."""
        return self._node.side_by_side([access.run(start, stop) for access in self._inner])


def _grafted(outer: Structure, inner: Iterator[Structure]) -> Structure:
    """Return ``outer`` with the structures of ``inner`` in the places of its leaves."""
    if outer.is_leaf:
        return next(inner)
    children = tuple(_grafted(child, inner) for child in outer.children)
    return Structure(outer.type, outer.keys, children)
