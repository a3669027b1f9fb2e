"""rows: one operand of a batching rule, and what rules do to line operands up.

A rule gets an operation's arguments as the user wrote them, with ``Rows`` in place of
every value that differs from element to element: the values of all elements of a block
along a new first axis. Axes and shapes in the arguments speak of one element.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rows", "aligned", "length_of", "shifted", "shifted_one", "stacked"]


class Rows:
    """The values of one operand for all elements of a block."""

    __slots__ = ("array",)

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array

    @property
    def length(self) -> int:
        """How many elements there are."""
        return len(self.array)

    @property
    def ndim(self) -> int:
        """How many axes one element has."""
        return self.array.ndim - 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one element."""
        return self.array.shape[1:]

    def padded(self, ndim: int) -> NDArray[Any]:
        """Return the array with axes of length 1 put before those of an element."""
        array = self.array
        missing = ndim - array.ndim + 1
        if missing <= 0:
            return array
        return array.reshape(len(array), *(1,) * missing, *array.shape[1:])

    def flat(self) -> NDArray[Any]:
        """Return the numbers of each element in a row."""
        # Not -1 for the length: a block without elements does not say what it would be.
        return self.array.reshape(len(self.array), math.prod(self.shape))


def aligned(*operands: Any) -> list[Any]:
    """Return operands that broadcast over a block as they would for each element.

    Example:
        >>> a, b = aligned(Rows(np.zeros((5, 3))), Rows(np.zeros((5, 4, 3))))
        >>> a.shape, b.shape
        ((5, 1, 3), (5, 4, 3))
    """
    ndim = 0
    for operand in operands:
        found = operand.ndim if isinstance(operand, (Rows, np.ndarray)) else np.ndim(operand)
        ndim = max(ndim, found)
    return [o.padded(ndim) if isinstance(o, Rows) else o for o in operands]


def stacked(operand: Any, length: int) -> NDArray[Any]:
    """Return an operand along a first axis, a constant as many times as there are elements."""
    if isinstance(operand, Rows):
        return operand.array
    array = np.asarray(operand)
    if array.dtype == object:
        raise NotImplementedError  # a list with values of the elements in it
    return np.broadcast_to(array, (length, *array.shape))


def length_of(operands: Any) -> int:
    """Return how many elements the block has: that of the first Rows among nested operands."""
    found = _first_rows(operands)
    assert found is not None, "a rule is called only if an operand differs between elements"
    return found.length


def _first_rows(operands: Any) -> Rows | None:
    if isinstance(operands, Rows):
        return operands
    if isinstance(operands, (list, tuple)):
        for operand in operands:
            found = _first_rows(operand)
            if found is not None:
                return found
    return None


def shifted(axis: Any, ndim: int) -> Any:
    """Return axes of an element as axes of the block; None means all of them.

    Example:
        >>> shifted(None, 2), shifted(-1, 2), shifted((0, -1), 3)
        ((1, 2), 2, (1, 3))
    """
    if axis is None:
        return tuple(range(1, ndim + 1))
    if isinstance(axis, Sequence):
        return tuple(shifted_one(one, ndim) for one in axis)
    return shifted_one(axis, ndim)


def shifted_one(axis: Any, ndim: int) -> int:
    """Return one axis of an element as an axis of the block."""
    number = operator.index(axis)
    if not -ndim <= number < ndim:
        raise np.exceptions.AxisError(number, ndim)
    return number % ndim + 1
