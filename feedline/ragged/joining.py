"""joining: ragged values one after the other, side by side and repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from feedline.errors import BuildError, InvalidArgumentError
from feedline.ragged.rows import Parts, Rows, length_of, taken

__all__ = ["concatenated", "stacked", "tiled", "with_rows"]


def with_rows(parts: Parts, count: int, dtype: np.dtype[Any] | None = None) -> Parts:
    """Return a value with at least ``count`` axes of rows, those of arrays equally long."""
    rows, flat = parts
    added: list[Rows] = []
    kind = dtype or (rows[0].splits.dtype if rows else np.dtype(np.int64))
    while len(rows) + len(added) < count:
        length, width, *rest = flat.shape
        added.append(Rows.of_one_length(width, length, kind))
        flat = flat.reshape(length * width, *rest)
    return [*rows, *added], flat


def concatenated(many: Sequence[Parts], axis: int) -> Parts:
    """Return values one after the other along an axis."""
    deepest = max(len(rows) for rows, _ in many)
    if not deepest:
        return [], np.concatenate([flat for _, flat in many], axis)
    dtype = next(rows[0].splits.dtype for rows, _ in many if rows)
    many = [with_rows(parts, deepest, dtype) for parts in many]
    if axis == 0:
        return _after_another(many)
    counts = {length_of(parts) for parts in many}
    if len(counts) > 1:
        raise InvalidArgumentError(
            f"concat(): ragged values must have as many rows, got {sorted(counts)}."
        )
    if axis == 1:
        count = counts.pop()
        # The first row of each, then the second one of each: they become one row.
        turns = np.arange(count * len(many)).reshape(len(many), count).T.ravel()
        rows, flat = taken(_after_another(many), turns)
        return [Rows(rows[0].splits[:: len(many)]), *rows[1:]], flat
    head = many[0][0][0]
    if any(not np.array_equal(rows[0].splits, head.splits) for rows, _ in many):
        raise InvalidArgumentError("concat(): rows before the axis must have the same lengths.")
    inner, flat = concatenated([(rows[1:], flat) for rows, flat in many], axis - 1)
    return [head, *inner], flat


def _after_another(many: Sequence[Parts]) -> Parts:
    rows = []
    for level in zip(*(rows for rows, _ in many), strict=True):
        uniform = {head.uniform for head in level}
        lengths = np.concatenate([head.lengths for head in level])
        same = uniform.pop() if len(uniform) == 1 else None
        rows.append(Rows.of_lengths(lengths, level[0].splits.dtype, same))
    return rows, np.concatenate([flat for _, flat in many])


def stacked(many: Sequence[Parts], axis: int) -> Parts:
    """Return values along a new axis; arrays may differ in their first length."""
    dtype = next((rows[0].splits.dtype for rows, _ in many if rows), np.dtype(np.int64))
    if axis == 0:
        inner, flat = concatenated(many, 0)
        return [Rows.of_lengths([length_of(parts) for parts in many], dtype), *inner], flat
    if axis == 1:
        alone = []
        for parts in many:
            head = Rows.of_one_length(1, length_of(parts), dtype)
            alone.append(([head, *parts[0]], parts[1]))
        rows, flat = concatenated(alone, 1)
        return [Rows(rows[0].splits, len(many)), *rows[1:]], flat
    heads = [with_rows(parts, 1) for parts in many]
    rows, flat = stacked([(rows[1:], flat) for rows, flat in heads], axis - 1)
    return [heads[0][0][0], *rows], flat


def tiled(parts: Parts, multiples: Sequence[int]) -> Parts:
    """Return a value repeated as a whole, so many times along each axis."""
    for axis, times in enumerate(multiples):
        if times < 1:
            raise BuildError(f"tile(): multiples of a RaggedTensor must be positive, got {times}.")
        if times > 1:
            parts = concatenated([parts] * times, axis)
    return parts
