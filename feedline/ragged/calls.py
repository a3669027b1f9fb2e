"""calls: what NumPy's functions make of ragged values, which answer them by its protocols.

Each function here gets the parts of a RaggedTensor, or of several, and gives parts back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from feedline.errors import BuildError
from feedline.narrow import array_of_data
from feedline.ragged.joining import concatenated, stacked, tiled
from feedline.ragged.reducing import mean, reduced
from feedline.ragged.rows import Parts, with_axis
from feedline.ragged.slicing import sliced
from feedline.values.tensor import as_plain

__all__ = ["ABOUT", "JOINING", "OF_EACH", "SINGLE", "parts_of"]


def parts_of(value: Any) -> Parts:
    """Return the parts of a RaggedTensor or of anything that becomes an array."""
    if hasattr(value, "parts"):
        found: Parts = value.parts()
        return found
    return [], array_of_data(as_plain(value))


def _axis_of(axis: Any, rank: int) -> int:
    if not -rank <= axis < rank:
        raise BuildError(f"an axis of a RaggedTensor must be below {rank} here, got {axis}.")
    return int(axis) % rank


def _rank(parts: Parts) -> int:
    return len(parts[0]) + parts[1].ndim


def _reducing(function: Any) -> Callable[..., Parts]:
    def call(
        parts: Parts,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
    ) -> Parts:
        return reduced(parts, function, axis, bool(keepdims))

    return call


def _mean(parts: Parts, axis: Any = None, keepdims: Any = False) -> Parts:
    return mean(parts, axis, bool(keepdims))


def _expand_dims(parts: Parts, axis: Any) -> Parts:
    return with_axis(parts, _axis_of(axis, _rank(parts) + 1))


def _tile(parts: Parts, reps: Any) -> Parts:
    return tiled(parts, [int(one) for one in reps])


def _flip(parts: Parts, axis: Any = None) -> Parts:
    rank = _rank(parts)
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    turned = {_axis_of(one, rank) for one in axes}
    return sliced(parts, tuple(slice(None, None, -1 if a in turned else 1) for a in range(rank)))


def _concatenate(many: Sequence[Parts], axis: Any = 0) -> Parts:
    return concatenated(many, _axis_of(axis, max(map(_rank, many))))


def _stack(many: Sequence[Parts], axis: Any = 0) -> Parts:
    return stacked(many, _axis_of(axis, max(map(_rank, many)) + 1))


SINGLE: dict[Any, Callable[..., Parts]] = {
    **{fn: _reducing(fn) for fn in (np.sum, np.prod, np.max, np.min, np.any, np.all)},
    np.mean: _mean,
    np.expand_dims: _expand_dims,
    np.tile: _tile,
    np.flip: _flip,
}
"""Functions of one value."""

JOINING: dict[Any, Callable[..., Parts]] = {np.concatenate: _concatenate, np.stack: _stack}
"""Functions of a list of values."""

OF_EACH = frozenset([np.where, np.clip, np.round, np.zeros_like, np.ones_like, np.real, np.imag])
"""Functions of each number by itself, besides ufuncs."""

ABOUT: dict[Any, Callable[[Any], Any]] = {
    np.shape: lambda value: tuple(value.shape),
    np.ndim: lambda value: value.ndim,
    np.size: lambda value: value.plain_flat_values.size,
}
"""Questions about one value."""
