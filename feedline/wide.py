"""wide: numbers read from files become int64 and float64, so that their dtype is always the same.

Python numbers that a function returns are int32 where they fit: one at a time can tell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, column_of
from feedline.leaf import list_as_array
from feedline.structure import split_values, structure_of

__all__ = ["wide_block"]

_WIDE: dict[type, type] = {int: np.int64, float: np.float64}


def wide_block(values: list[Any]) -> Block:
    """Return the block of some values, which must have one structure.

    Example:
        >>> wide_block([{"a": 1, "b": [0.5]}]).rows()
        [{'a': np.int64(1), 'b': array([0.5])}]
    """
    structure = structure_of(values[0])
    columns = tuple(map(_column, split_values(values, structure)))
    return Block(structure, columns, len(values), None)


def _column(values: list[Any]) -> Column:
    kinds = set(map(type, values))
    if len(kinds) == 1 and (dtype := _WIDE.get(kinds.pop())):
        try:
            return Dense(np.array(values, dtype))
        except OverflowError:
            pass
    return column_of(list(map(_leaf, values))).owned()


def _leaf(value: Any) -> Any:
    if type(value) in _WIDE:
        leaf = np.asarray(value)[()]
        # NumPy gives large integers the other of its two 64-bit types, which are equal dtypes.
        return np.uint64(leaf) if isinstance(leaf, np.ulonglong) else leaf
    return list_as_array(value) if isinstance(value, list) else value
