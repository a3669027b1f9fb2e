"""block_form: what a block is like, as far as a recording depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, Objects, Ragged
from feedline.graph.varied import varied_shape

__all__ = ["as_varied", "form_of", "lined_up"]


def form_of(block: Block) -> Any:
    """Return what blocks must have in common to be run by one recording."""
    return block.structure, tuple(_forms_of(block))


def _forms_of(block: Block) -> Iterator[Any]:
    for column in block.columns:
        if isinstance(column, Dense):
            yield column.array.dtype, column.array.shape[1:]
        elif isinstance(column, Ragged):
            yield column.values.dtype, column.values.shape[1:], "ragged"
        elif isinstance(column, Objects):
            shape = varied_shape(column)
            known = None if shape is None else (column.items[0].dtype, shape)
            yield frozenset(map(type, column.items)) if known is None else known
        else:
            yield type(column)


def as_varied(block: Block) -> Block:
    """Return a block in which images that have one size by chance count as ones of any size."""
    columns = tuple(map(_as_varied, block.columns))
    return Block(block.structure, columns, block.length, block.ids)


def _as_varied(column: Column) -> Column:
    if not isinstance(column, Dense) or column.array.ndim < 4 or column.array.dtype.kind in "OSUV":
        return column
    return Objects(column.rows())


def lined_up(column: Column, may_change: bool) -> Column:
    """Return a column whose elements lie in memory as the function would get them."""
    if isinstance(column, Dense) and not column.array.flags.c_contiguous:
        # What is not its own, a function that may change it gets as a copy.
        is_copied = may_change and column.array.ndim > 1 and not column.array.flags.writeable
        if not is_copied and not column.array[0].flags.c_contiguous:
            raise ValueError("elements in another order in memory")
        return Dense(np.ascontiguousarray(column.array))
    return column
