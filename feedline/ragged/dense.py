"""dense: ragged values as arrays that are filled up, and arrays as ragged values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.ragged.rows import Parts, Rows, coordinates

__all__ = ["bounding_shape", "filled_up", "of_dense", "of_sparse", "sparse_parts"]


def bounding_shape(parts: Parts) -> list[int]:
    """Return the shape of the smallest array that every value fits in."""
    rows, flat = parts
    return [rows[0].count, *(head.longest for head in rows), *flat.shape[1:]]


def filled_up(parts: Parts, default_value: Any, shape: Any) -> NDArray[Any]:
    """Return an array with the values at their places, and a default elsewhere."""
    rows, flat = parts
    whole = bounding_shape(parts)
    wanted = _wanted(shape, whole)
    dense = np.empty(wanted, flat.dtype)
    dense[...] = _default(default_value, flat)
    places: list[Any] = coordinates(rows)
    outer = len(places)
    if any(want < have for want, have in zip(wanted, whole, strict=True)):
        fits = np.ones(len(flat), np.bool_)
        for axis, want in zip(places, wanted, strict=False):
            fits &= axis < want
        places = [axis[fits] for axis in places]
        flat = flat[fits]
    inner = tuple(slice(min(a, b)) for a, b in zip(wanted[outer:], flat.shape[1:], strict=True))
    dense[(*places, *inner)] = flat[(slice(None), *inner)]
    return dense


def _wanted(shape: Any, whole: list[int]) -> list[int]:
    if shape is None:
        return whole
    given = [None if one is None else int(one) for one in shape]
    if len(given) != len(whole):
        raise BuildError(f"to_tensor(): shape must have {len(whole)} axes, got {given}.")
    return [
        have if want is None or want < 0 else want for want, have in zip(given, whole, strict=True)
    ]


def _default(value: Any, flat: NDArray[Any]) -> Any:
    if value is None:
        return b"" if flat.dtype == object else np.zeros((), flat.dtype)
    array = np.asarray(value)
    if flat.dtype == object:
        fits = array.dtype.kind in "OSU"
        array = np.asarray(value, object)
    else:
        fits = array.dtype.kind not in "OSU" and np.can_cast(array.dtype, flat.dtype, "same_kind")
        fits |= array.dtype.kind in "iu" and flat.dtype.kind in "iufc"
    if not fits:
        shown = "string" if flat.dtype == object else flat.dtype
        raise BuildTypeError(f"to_tensor(): default_value must be {shown}, got {value!r}.")
    return array


def sparse_parts(parts: Parts) -> tuple[NDArray[Any], NDArray[Any], list[int]]:
    """Return the indices, values and shape that a ragged value has as a sparse one."""
    rows, flat = parts
    outer = np.stack(coordinates(rows), axis=1)
    size = math.prod(flat.shape[1:])
    inner = np.indices(flat.shape[1:]).reshape(flat.ndim - 1, size).T
    repeated = np.repeat(outer, len(inner), axis=0)
    indices = np.concatenate([repeated, np.tile(inner, (len(outer), 1))], axis=1)
    return indices.astype(np.int64), flat.reshape(-1), bounding_shape(parts)


def of_sparse(indices: NDArray[Any], values: NDArray[Any], shape: Any, dtype: Any) -> Parts:
    """Return the parts of a sparse value whose rows are filled from their beginnings."""
    if len(shape) != 2:
        raise BuildError(f"from_sparse(): st_input must have two axes, got {len(shape)}.")
    lengths = np.bincount(indices[:, 0], minlength=int(shape[0]))
    rows = Rows.of_lengths(lengths, dtype)
    if (indices[:, 0] != rows.ids).any() or (indices[:, 1] != rows.places).any():
        raise InvalidArgumentError(
            "from_sparse(): rows must be filled from their beginnings, in order. "
            "sparse.reorder() sorts, and sparse.to_dense() keeps gaps."
        )
    return [rows], values


def of_dense(
    array: NDArray[Any], lengths: Any, padding: Any, ragged_rank: int, dtype: Any
) -> Parts:
    """Return the parts of an array, perhaps without what fills its rows up."""
    call = "from_tensor()"
    if array.ndim < 2:
        raise BuildError(f"{call}: tensor must have at least two axes, got {array.ndim}.")
    if lengths is not None and padding is not None:
        raise BuildError(f"{call}: give lengths or padding, not both.")
    if not 0 < ragged_rank < array.ndim:
        raise BuildError(f"{call}: ragged_rank must be 1 to {array.ndim - 1}, got {ragged_rank}.")
    if lengths is not None:
        return _cut_to(array, _all_lengths(lengths), dtype)
    outer = [
        Rows.of_one_length(array.shape[axis], math.prod(array.shape[:axis]), dtype)
        for axis in range(1, ragged_rank + 1)
    ]
    flat = array.reshape(math.prod(array.shape[: ragged_rank + 1]), *array.shape[ragged_rank + 1 :])
    if padding is None:
        return outer, flat
    rows = array.reshape(math.prod(array.shape[:ragged_rank]), *array.shape[ragged_rank:])
    fill = np.asarray(padding, object if array.dtype == object else None)
    if fill.shape not in ((), rows.shape[2:]):
        raise BuildError(f"{call}: padding must have the shape {rows.shape[2:]}, got {fill.shape}.")
    real = _not_equal(rows, fill)
    real = real.any(axis=tuple(range(2, real.ndim)))
    ends = np.where(real, np.arange(1, real.shape[1] + 1), 0).max(axis=1, initial=0)
    inner, values = _cut_to(rows, [ends], dtype)
    return [*outer[:-1], *inner], values


def _not_equal(rows: NDArray[Any], fill: NDArray[Any]) -> Any:
    if rows.dtype != object:
        return rows != fill
    wanted = [item.encode() if isinstance(item, str) else item for item in fill.ravel().tolist()]
    found = [item.encode() if isinstance(item, str) else item for item in rows.ravel().tolist()]
    wide = np.broadcast_to(np.array(wanted, object).reshape(fill.shape), rows.shape)
    pairs = zip(found, wide.ravel().tolist(), strict=True)
    return np.fromiter((a != b for a, b in pairs), np.bool_, rows.size).reshape(rows.shape)


def _all_lengths(lengths: Any) -> list[NDArray[Any]]:
    nested = isinstance(lengths, (list, tuple)) and len(lengths) and np.ndim(lengths[0]) == 1
    return [np.asarray(one) for one in lengths] if nested else [np.asarray(lengths)]


def _cut_to(array: NDArray[Any], lengths: Sequence[NDArray[Any]], dtype: Any) -> Parts:
    """Return the beginnings of rows, and of the rows in them."""
    kept = np.clip(lengths[0], 0, array.shape[1])
    if kept.shape != array.shape[:1]:
        raise InvalidArgumentError(
            f"from_tensor(): lengths must be {len(array)} numbers, got the shape {kept.shape}."
        )
    values = array[np.arange(array.shape[1]) < kept[:, None]]
    head = Rows.of_lengths(kept, dtype)
    if len(lengths) == 1:
        return [head], values
    inner, flat = _cut_to(values, lengths[1:], dtype)
    return [head, *inner], flat
