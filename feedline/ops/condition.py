"""condition: what transformations that ask a user's function yes or no have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Dense
from feedline.errors import BuildTypeError
from feedline.leaf import as_leaf, describe_leaf

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.function import Function

__all__ = ["as_condition", "conditions_of", "reads_only"]


def conditions_of(results: Block) -> NDArray[np.bool_] | None:
    """Return what a predicate gave for a block, if it is one bool for each element."""
    if not results.structure.is_leaf:
        return None
    (column,) = results.columns
    if isinstance(column, Dense) and column.array.dtype == bool and column.array.ndim == 1:
        return column.array
    return None


def as_condition(call: str, value: Any) -> bool:
    """Return what a predicate gave as a bool; raise BuildTypeError if it is no single bool."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, np.ndarray) and value.shape == () and value.dtype == np.bool_:
        return bool(value)
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise BuildTypeError(
        f"{call}: predicate must return a single bool, got {shown}, which is "
        f"{describe_leaf(as_leaf(value))}. Compare explicitly, and use .all() or .any() for arrays."
    )


def reads_only(function: Function) -> Function:
    """Return a function that gets arrays it cannot change: the elements themselves go on."""
    return replace(function, may_change=False)
