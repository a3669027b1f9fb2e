"""from_tensors: one element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, column_of
from feedline.errors import BuildError, SpecError
from feedline.graph.made_slices import recorded_slices
from feedline.leaf import ingest
from feedline.ops.in_memory import InMemoryNode
from feedline.spec import spec_of
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["FromTensors", "from_tensors"]


# ---- what the user calls ---------------------------------------------------


def from_tensors(cls: type[Dataset[Any]], tensors: Any, name: str | None = None) -> Dataset[Any]:
    """Return a dataset whose only element is ``tensors``.

    Arrays are not copied: the element's are read-only views of them.

    Args:
        tensors: An array, number, string, list, RaggedTensor, SparseTensor or Dataset, or
            a nested structure of them.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> list(tf.data.Dataset.from_tensors(([1, 2], "a")))
        [(array([1, 2], dtype=int32), 'a')]
    """
    recorded = recorded_slices(tensors, whole=True)
    if recorded is not None:
        return cast("Dataset[Any]", recorded)  # it stands for one
    structure = structure_of(tensors)
    if not structure.num_leaves:
        raise BuildError("from_tensors(): the structure has no values.")
    try:
        leaves = [ingest(leaf) for leaf in structure.flatten(tensors)]
    except SpecError as error:
        raise SpecError(f"from_tensors(): {error}") from error
    block = Block(structure, tuple(map(_column, leaves)), 1).read_only()
    return cls.of_node(FromTensors(block, spec_of(structure.pack(leaves)), name=name))


def _column(leaf: Any) -> Column:
    return Dense(leaf[None]) if isinstance(leaf, np.ndarray) else column_of([leaf])


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class FromTensors(InMemoryNode):
    """One element in memory."""


# ---- what runs: a cursor over the block, see in_memory.py --------------------
