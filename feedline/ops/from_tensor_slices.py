"""from_tensor_slices: the rows of arrays in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from feedline.block import Block
from feedline.column import Column, Dense, Objects, column_of_slices
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.graph.made_slices import recorded_slices
from feedline.leaf import describe_leaf, ingest
from feedline.ops.in_memory import InMemoryNode
from feedline.plan.node import Node
from feedline.spec import DatasetSpec, map_spec, merge_specs, spec_of
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["FromTensorSlices", "from_tensor_slices", "naming_files", "slice_spec"]


# ---- what the user calls ---------------------------------------------------


def from_tensor_slices(
    cls: type[Dataset[Any]], tensors: Any, name: str | None = None
) -> Dataset[Any]:
    """Return one element per row of the arrays in ``tensors``.

    The arrays are not copied: elements and batches that are views of them are read-only.
    Only those in another byte order than the machine's are, into its own; a matrix counts as
    an array, and a masked array must be filled first.

    Args:
        tensors: An array, list, range, RaggedTensor or SparseTensor, or a nested structure
            of them, all of one length. None in a structure is None in every element.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices({"x": [1, 2], "y": ["a", "b"]})
        >>> list(ds)
        [{'x': np.int32(1), 'y': 'a'}, {'x': np.int32(2), 'y': 'b'}]
    """
    recorded = recorded_slices(tensors)
    if recorded is not None:
        return cast("Dataset[Any]", recorded)  # it stands for one
    structure = structure_of(tensors)
    if not structure.num_leaves:
        raise BuildError("from_tensor_slices(): the structure has no arrays to slice.")
    try:
        leaves = [_given(leaf) for leaf in structure.flatten(tensors)]
    except SpecError as error:
        raise SpecError(f"from_tensor_slices(): {error}") from error
    pairs = list(zip(leaves, structure.paths(), strict=True))
    given = {path: _column(leaf, path) for leaf, path in pairs if leaf is not None}
    lengths = {len(column) for column in given.values()}
    if not given:
        raise BuildTypeError(
            "from_tensor_slices(): the value must have a first axis to slice, got None."
        )
    if len(lengths) > 1:
        found = ", ".join(f"{path or 'the array'}: {len(column)}" for path, column in given.items())
        raise BuildError(f"from_tensor_slices(): all arrays must be equally long, got {found}.")
    length = lengths.pop()
    # None stands in every element where it stands in the structure.
    columns = tuple(given.get(path, Objects([None] * length)) for _, path in pairs)
    block = Block(structure, columns, length).read_only()
    spec = structure.pack([_spec_of_rows(leaf) for leaf in leaves])
    return cls.of_node(FromTensorSlices(block, spec, name=name))


def _given(leaf: Any) -> Any:
    """Return a leaf as what is sliced: datasets in a list are the elements."""
    if isinstance(leaf, list) and leaf and isinstance(leaf[0], DatasetSpec.value_type):
        if not all(isinstance(one, DatasetSpec.value_type) for one in leaf):
            raise SpecError("a list that holds a dataset must hold nothing but datasets.")
        return Objects(leaf)
    return ingest(leaf)


def _spec_of_rows(leaf: Any) -> Any:
    if isinstance(leaf, Objects):
        return merge_specs([spec_of(one) for one in leaf.items])
    return map_spec(slice_spec, spec_of(leaf))


def _column(leaf: Any, path: str) -> Column:
    if isinstance(leaf, Objects):
        return leaf
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
class FromTensorSlices(InMemoryNode):
    """The rows of arrays in memory; ``names_files`` if they are names of files that are read."""

    names_files: bool = field(default=False, kw_only=True, repr=False, compare=False)

    @property
    def read_files(self) -> Sequence[str]:
        """What the rows name."""
        return self.texts() if self.names_files else ()

    def texts(self) -> list[str]:
        """Return the rows that are texts, if every row is one value."""
        if not self.block.structure.is_leaf or isinstance(self.block.columns[0], Dense):
            return []
        return [os.fsdecode(row) for row in self.block.rows() if isinstance(row, (str, bytes))]


def naming_files(node: Node) -> Node:
    """Return a node whose elements are known to name files that are read."""
    assert isinstance(node, FromTensorSlices)
    return replace(node, names_files=True)


# ---- what runs: a cursor over the block, see in_memory.py --------------------
