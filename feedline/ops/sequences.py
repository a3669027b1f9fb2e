"""sequences: the elements of a block as runs of values, and what is wrong with some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Column, Dense, Ragged
from feedline.errors import SpecError
from feedline.ids import Ids
from feedline.leaf import describe_leaf

__all__ = ["Bad", "Sequences", "sequences_of"]


@dataclass(slots=True)
class Sequences:
    """For each leaf values, and where in them each sequence starts and stops.

    ``positions`` are those of the elements in the input.
    """

    values: list[NDArray[Any]]
    starts: list[NDArray[np.int64]]
    stops: list[NDArray[np.int64]]
    positions: NDArray[np.int64]
    ids: Ids | None = None

    def __len__(self) -> int:
        return len(self.positions)

    def truncated(self, lengths: Sequence[int]) -> Sequences:
        """Return the sequences cut to ``lengths``."""
        limits = zip(self.starts, self.stops, lengths, strict=True)
        stops = [np.minimum(stop, start + length) for start, stop, length in limits]
        return Sequences(self.values, self.starts, stops, self.positions, self.ids)


@dataclass(frozen=True, slots=True)
class Bad:
    """An element that cannot be packed: ``before`` so many sequences, and why."""

    before: int
    position: int
    error: SpecError


def sequences_of(
    block: Block,
    positions: NDArray[np.int64],
    dtypes: Sequence[np.dtype[Any]],
    longest: Sequence[int] | None,
    equal: bool,
) -> tuple[Sequences, list[Bad]]:
    """Return the sequences of a block, and the elements that are none.

    Args:
        block: The elements.
        positions: Theirs in the input.
        dtypes: What the arrays of each leaf must have.
        longest: How long they may be; None if there is no limit.
        equal: Whether the arrays of an element must be equally long.
    """
    problems: dict[int, str] = {}
    for column, path, dtype in zip(block.columns, block.structure.paths(), dtypes, strict=True):
        problems |= _not_sequences(column, path, dtype)
    if not problems:
        lengths = np.array([_lengths(column) for column in block.columns])
        problems = _wrong_lengths(lengths, list(block.structure.paths()), longest, equal)
    if not problems:
        return _joined(block, positions), []
    good = np.ones(block.length, np.bool_)
    good[list(problems)] = False
    bad = []
    for number, text in sorted(problems.items()):
        position = int(positions[number])
        error = SpecError(f"pack(): element {position} {text}")
        bad.append(Bad(int(good[:number].sum()), position, error))
    index = np.flatnonzero(good)
    rest, worse = sequences_of(block.take(index), positions[index], dtypes, longest, equal)
    return rest, _merged(bad, worse)


def _merged(bad: list[Bad], worse: list[Bad]) -> list[Bad]:
    """Return the bad elements of two checks in order; the second saw only what passed the first."""
    merged, passed = [], 0
    for one in sorted([*bad, *worse], key=lambda one: one.position):
        if one in worse:
            merged.append(one)
            passed += 1
        else:
            merged.append(Bad(one.before - passed, one.position, one.error))
    return merged


def _not_sequences(column: Column, path: str, dtype: np.dtype[Any]) -> dict[int, str]:
    if isinstance(column, Dense) and column.array.ndim == 2 and column.array.dtype == dtype:
        return {}
    if isinstance(column, Ragged) and column.values.ndim == 1 and column.values.dtype == dtype:
        return {}
    problems = {}
    where = f" at {path}" if path else ""
    for number, row in enumerate(column.rows()):
        if not isinstance(row, np.ndarray) or row.ndim != 1 or row.dtype != dtype:
            problems[number] = f"is {describe_leaf(row)}{where}; it must be {dtype} of one axis."
    return problems


def _wrong_lengths(
    lengths: NDArray[np.int64], paths: list[str], longest: Sequence[int] | None, equal: bool
) -> dict[int, str]:
    problems = {}
    if equal:
        for number in np.flatnonzero((lengths != lengths[0]).any(axis=0)).tolist():
            found = ", ".join(map(str, lengths[:, number].tolist()))
            problems[number] = f"has arrays of different lengths: {found}. 'concat' needs one."
    if longest is not None:
        over = lengths > np.array(longest)[:, None]
        for number in np.flatnonzero(over.any(axis=0)).tolist():
            leaf = int(np.argmax(over[:, number]))
            where = f" at {paths[leaf]}" if paths[leaf] else ""
            problems[number] = (
                f"is {lengths[leaf, number]} long{where}, longer than a row of {longest[leaf]}. "
                "Give too_long='truncate' or 'split', or a larger length."
            )
    return problems


def _lengths(column: Column) -> NDArray[np.int64]:
    if isinstance(column, Ragged):
        return column.lengths
    if isinstance(column, Dense):
        return np.full(len(column), column.array.shape[1], np.int64)
    return np.array([len(row) for row in column.rows()], np.int64)


def _joined(block: Block, positions: NDArray[np.int64]) -> Sequences:
    values, starts, stops = [], [], []
    for column in block.columns:
        if isinstance(column, Ragged):
            flat, splits = column.values, column.splits
        else:
            rows = [column.array.reshape(-1)] if isinstance(column, Dense) else column.rows()
            flat = np.concatenate(rows) if rows else np.empty(0)
            splits = np.concatenate([[0], np.cumsum(_lengths(column))])
        values.append(flat)
        starts.append(splits[:-1])
        stops.append(splits[1:])
    return Sequences(values, starts, stops, positions, block.ids)
