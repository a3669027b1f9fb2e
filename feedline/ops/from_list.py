"""from_list: the elements of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.column import Column, Dense, Ragged, column_of
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.leaf import describe_leaf, ingest
from feedline.ops.in_memory import InMemoryNode
from feedline.spec import TensorSpec, merge_specs, spec_of
from feedline.structure import split_values, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["FromList", "from_list"]


# ---- what the user calls ---------------------------------------------------


def from_list(
    cls: type[Dataset[Any]], elements: list[Any], name: str | None = None
) -> Dataset[Any]:
    """Return the elements of a list.

    Unlike in from_tensor_slices(), the structure is inside the list, and arrays may
    differ in shape.

    Args:
        elements: Elements of one structure, with equal dtypes.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> list(from_list(tf.data.Dataset, [(1, "a"), (2, "b")]))
        [(np.int32(1), 'a'), (np.int32(2), 'b')]
    """
    if not isinstance(elements, list):
        raise BuildTypeError(
            f"from_list(): elements must be a list, got {type(elements).__name__}."
        )
    if not elements:
        raise BuildError(
            "from_list(): elements must not be empty. For an empty dataset use range(0)."
        )
    structure = structure_of(elements[0])
    if not structure.num_leaves:
        raise BuildError("from_list(): the elements have no values.")
    try:
        values = split_values(elements, structure)
    except SpecError as error:
        raise BuildError(f"from_list(): {error}") from error
    columns, specs = [], []
    for part, path in zip(values, structure.paths(), strict=True):
        column = _column(part)
        columns.append(column)
        specs.append(_spec(column, path))
    block = Block(structure, tuple(columns), len(elements)).read_only()
    return cls.of_node(FromList(block, structure.pack(specs), name=name))


def _column(values: list[Any]) -> Column:
    kinds = set(map(type, values))
    if len(kinds) == 1 and kinds <= {bool, int, float}:
        # As one list: a number that needs int64 makes them all int64, not one of them.
        array = ingest(values)
        if array.dtype != object:
            return Dense(array)
    return column_of([ingest(value) for value in values])


def _spec(column: Column, path: str) -> Any:
    if isinstance(column, Dense):
        return TensorSpec(column.array.shape[1:], column.array.dtype)
    if isinstance(column, Ragged):
        return TensorSpec((None, *column.values.shape[1:]), column.values.dtype)
    rows = column.rows()
    merged = spec_of(rows[0])
    for number, row in enumerate(rows):
        try:
            merged = merge_specs([merged, spec_of(row)])
        except SpecError as error:
            where = f" at {path}" if path else ""
            raise BuildTypeError(
                f"from_list(): elements 0 and {number} differ{where}: {describe_leaf(rows[0])} "
                f"and {describe_leaf(row)}. Give all of them one type."
            ) from error
    return merged


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class FromList(InMemoryNode):
    """The elements of a list, in memory."""


# ---- what runs: a cursor over the block, see in_memory.py --------------------
