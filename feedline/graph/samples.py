"""samples: the few elements a function is recorded with.

Some are taken from a block. One is made up of numbers between theirs, for the first
elements of a dataset may all be zeros, which tell nothing about rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Column, Dense, Objects, Ragged, column_of
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import refuse
from feedline.graph.varied import stretched, varied_shape

__all__ = ["Samples"]

_TAKEN = 3


@dataclass(frozen=True)
class Samples:
    """Columns of sample elements; the last ``invented`` of them are made up.

    ``made_up``: all are, for nothing is known of the elements but their spec.
    """

    block: Block
    invented: int
    made_up: bool = False

    @staticmethod
    def of(block: Block, *, invent: bool, made_up: bool = False) -> Samples:
        """Choose the samples of a block."""
        count = min(_TAKEN, block.length)
        chosen = block.take(np.linspace(0, block.length - 1, count).astype(np.int64))
        if not invent:
            return Samples(chosen, 0, made_up)
        columns = tuple(_with_invented(column) for column in chosen.columns)
        return Samples(Block(block.structure, columns, count + 1), 1, made_up)

    def trace(self) -> Trace:
        """Return an empty recording for these samples."""
        count = self.block.length
        invented = range(count - self.invented, count)
        return Trace(count, batches=True, sealed=True, invented=invented, made_up=self.made_up)

    def arguments(self, trace: Trace) -> list[Symbol | Opaque]:
        """Return what stands for the leaves of an element."""
        return [_argument(trace, column) for column in self.block.columns]


def _argument(trace: Trace, column: Column) -> Symbol | Opaque:
    if isinstance(column, Dense) and column.array.dtype.kind not in "OSUV":
        return trace.input(column, column.array.shape[1:], list(column.array))
    if isinstance(column, Ragged):
        return trace.input(column, (None, *column.values.shape[1:]), column.rows())
    shape = varied_shape(column)
    if shape is not None:
        return trace.input(column, shape, column.rows())
    kinds = {type(row).__name__ for row in column.rows()}
    if "NoneType" in kinds:
        refuse("gets a leaf that is None")
    return trace.opaque(f"a leaf of type {' or '.join(sorted(kinds))}", column.rows(), column)


def _with_invented(column: Column) -> Column:
    if isinstance(column, Dense) and column.array.dtype.kind not in "OSUV":
        return Dense(np.concatenate([column.array, _invented(column.array)[None]]))
    rows = column.rows()
    if isinstance(column, Ragged):
        # Another length than all others, so that no length is taken for a fixed one.
        return column_of([*rows, np.concatenate([*rows, rows[0][:1]])])
    shape = varied_shape(column)
    if shape is not None:
        # Another size than all others, for the same reason.
        longest = max(rows, key=lambda row: int(row.size))
        return Objects([*rows, stretched(longest, [a for a, n in enumerate(shape) if n is None])])
    return Objects([*rows, rows[0]])


def _invented(values: NDArray[Any]) -> NDArray[Any]:
    """Return an element with numbers between those of the samples."""
    draws = np.random.Generator(np.random.PCG64(values.size))
    shape, dtype = values.shape[1:], values.dtype
    kind = dtype.kind
    if not values.size:
        return np.zeros(shape, dtype)
    if kind == "b":
        return draws.integers(0, 2, shape).astype(dtype)
    if kind in "iu":
        whole: NDArray[Any] = draws.integers(
            values.min(), values.max(), shape, dtype, endpoint=True
        )
        return whole
    if kind == "f":
        known = values[np.isfinite(values)].astype(np.float64)
        low, high = (known.min(), known.max()) if known.size else (0.0, 0.0)
        if high - low == 0 or not np.isfinite(high - low):
            low, high = -1.0, 1.0
        between: NDArray[Any] = (low + (high - low) * draws.random(shape)).astype(dtype)
        return between
    return np.array(values[0])
