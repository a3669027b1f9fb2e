"""from_tensor_slices: the rows of arrays in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Column, column_of_slices
from feedline.engine.access import Access, CursorExec
from feedline.errors import BuildError, BuildTypeError
from feedline.leaf import describe_leaf, ingest
from feedline.plan.node import Node, Traits
from feedline.spec import map_spec, spec_of
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["BlockAccess", "FromTensorSlices", "from_tensor_slices", "slice_spec"]


# ---- what the user calls ---------------------------------------------------


def from_tensor_slices(
    cls: type[Dataset[Any]], tensors: Any, name: str | None = None
) -> Dataset[Any]:
    """Return one element per row of the arrays in ``tensors``.

    The arrays are not copied: elements and batches that are views of them are read-only.

    Args:
        tensors: An array, list, RaggedTensor or SparseTensor, or a nested structure of
            them, all of one length.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices({"x": [1, 2], "y": ["a", "b"]})
        >>> list(ds)
        [{'x': np.int32(1), 'y': 'a'}, {'x': np.int32(2), 'y': 'b'}]
    """
    structure = structure_of(tensors)
    if not structure.num_leaves:
        raise BuildError("from_tensor_slices(): the structure has no arrays to slice.")
    leaves = [ingest(leaf) for leaf in structure.flatten(tensors)]
    columns = [_column(leaf, path) for leaf, path in zip(leaves, structure.paths(), strict=True)]
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        found = ", ".join(
            f"{path or 'the array'}: {len(column)}"
            for path, column in zip(structure.paths(), columns, strict=True)
        )
        raise BuildError(f"from_tensor_slices(): all arrays must be equally long, got {found}.")
    block = Block(structure, tuple(columns), lengths.pop()).read_only()
    spec = map_spec(slice_spec, spec_of(structure.pack(leaves)))
    return cls(FromTensorSlices(block, spec, name=name))


def _column(leaf: Any, path: str) -> Column:
    try:
        return column_of_slices(leaf)
    except TypeError as error:
        raise BuildTypeError(
            f"from_tensor_slices(): {path or 'the value'} must have a first axis to slice, "
            f"got {describe_leaf(leaf)}. Use from_tensors() for a single element."
        ) from error


def slice_spec(spec: Any) -> Any:
    """Return the spec of one row of what has ``spec``."""
    return spec.row_spec()


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class FromTensorSlices(Node):
    """The rows of arrays in memory."""

    block: Block = field(repr=False, compare=False)
    element_spec: Any = field(repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    @property
    def signature(self) -> str:
        """The number of rows counts: a position in other data is another place."""
        return f"{self.operator}({self.block.length} rows)"

    def lower(self, run: Run) -> CursorExec:
        """Seek for free."""
        return CursorExec(self.access(run))

    def access(self, run: Run) -> BlockAccess:
        """Gather rows."""
        return BlockAccess(self.block, run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The number of rows."""
        return self.block.length

    def spec(self, inputs: Sequence[Any]) -> Any:
        """That of one row."""
        return self.element_spec


# ---- what runs -------------------------------------------------------------


class BlockAccess(Access):
    """The elements of one block in memory."""

    def __init__(self, block: Block, run: Run) -> None:
        self._block = block
        self._run = run

    def __len__(self) -> int:
        return self._block.length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return copies of the rows at ``index``."""
        return self._with_ids(self._block.take(index), index)

    def run(self, start: int, stop: int) -> Block:
        """Return a view of some consecutive rows."""
        return self._with_ids(self._block.slice(start, stop), np.arange(start, stop))

    def _with_ids(self, block: Block, index: NDArray[np.int64]) -> Block:
        if not self._run.with_ids:
            return block
        ids = self._run.scope.ids(index)
        return Block(block.structure, block.columns, block.length, ids)
