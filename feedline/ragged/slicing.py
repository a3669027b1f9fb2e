"""slicing: ``ragged[key]``, with TensorFlow's rules."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.ragged.rows import Parts, Rows, cut, length_of, runs, taken

__all__ = ["sliced"]

_ALL = slice(None)


def sliced(parts: Parts, key: Any) -> Parts:
    """Return what a key picks."""
    keys = key if isinstance(key, tuple) else (key,)
    return _picked(parts, _spelled_out(keys, len(parts[0]) + parts[1].ndim))


def _spelled_out(keys: tuple[Any, ...], rank: int) -> tuple[Any, ...]:
    """Return a key of integers, slices of integers and None alone."""
    used = sum(1 for one in keys if one is not None and one is not Ellipsis)
    if used > rank:
        raise BuildError(f"RaggedTensor: a key has at most {rank} parts here, got {used}.")
    found: list[Any] = []
    for one in keys:
        if one is Ellipsis:
            found += [_ALL] * (rank - used)
            rank = used  # a second one stands for nothing
        elif one is None:
            found.append(None)
        elif isinstance(one, slice):
            found.append(slice(*map(_bound, (one.start, one.stop, one.step))))
            if found[-1].step == 0:
                raise BuildError("RaggedTensor: the step of a slice must not be 0.")
        else:
            found.append(operator.index(one))
    return tuple(found)


def _bound(value: Any) -> int | None:
    return None if value is None else operator.index(value)


def _picked(parts: Parts, keys: tuple[Any, ...]) -> Parts:
    """Return what keys pick, the first of which is about the first axis."""
    rows, flat = parts
    if not keys:
        return parts
    if not rows:
        return rows, flat[keys]
    first, rest = keys[0], keys[1:]
    if first is None:
        inner = _picked(parts, rest)
        if not inner[0]:
            return [], inner[1][None]
        return [Rows.of_one_length(length_of(inner), 1, rows[0].splits.dtype), *inner[0]], inner[1]
    head = rows[0]
    if isinstance(first, int):
        if not -head.count <= first < head.count:
            raise IndexError(f"row {first} is out of bounds: there are {head.count}.")
        start, stop = head.splits[first % head.count : first % head.count + 2].tolist()
        return _picked(cut((rows[1:], flat), start, stop), rest)
    start, stop, step = first.indices(head.count)
    if step == 1:
        return _within(cut(parts, start, max(start, stop)), rest)
    return _within(taken(parts, np.arange(start, stop, step)), rest)


def _within(parts: Parts, keys: tuple[Any, ...]) -> Parts:
    """Return what keys pick inside each item of the first axis."""
    rows, flat = parts
    if not keys:
        return parts
    if not rows:
        return rows, flat[(_ALL, *keys)]
    first, rest = keys[0], keys[1:]
    head = rows[0]
    if first is None:
        inner = _within(parts, rest)
        if not inner[0]:
            return [], inner[1][:, None]
        return [Rows.of_one_length(1, head.count, head.splits.dtype), *inner[0]], inner[1]
    values: Parts = (rows[1:], flat)
    if isinstance(first, int):
        if head.uniform is None:
            raise BuildError(
                "RaggedTensor: rows of different lengths have no item at one place. "
                "Use a slice, or to_tensor() first."
            )
        if not -head.uniform <= first < head.uniform:
            raise IndexError(f"item {first} is out of bounds: rows have {head.uniform}.")
        return _within(taken(values, head.starts + first % head.uniform), rest)
    if first != _ALL:
        places, lengths = _places(head, first)
        uniform = None if head.uniform is None else len(range(*first.indices(head.uniform)))
        values = taken(values, places)
        head = Rows.of_lengths(lengths, head.splits.dtype, uniform)
    inner_rows, inner_flat = _within(values, rest)
    return [head, *inner_rows], inner_flat


def _places(head: Rows, key: slice) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the items that a slice picks of every row, and how many they are."""
    lengths = head.lengths
    step = 1 if key.step is None else key.step
    low, high = (0, lengths) if step > 0 else (-1, lengths - 1)
    first, last = (low, high) if step > 0 else (high, low)
    start = first if key.start is None else _clipped(key.start, lengths, low, high)
    stop = last if key.stop is None else _clipped(key.stop, lengths, low, high)
    picked = np.maximum(-((start - stop) // step), 0).astype(lengths.dtype)
    starts = (head.starts + start).astype(lengths.dtype)
    return runs(starts, picked, step), picked


def _clipped(bound: int, lengths: NDArray[Any], low: Any, high: Any) -> NDArray[Any]:
    wanted = bound + lengths if bound < 0 else np.full_like(lengths, bound)
    found: NDArray[Any] = np.clip(wanted, low, high)
    return found
