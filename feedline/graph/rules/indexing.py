"""``array[key]`` and ``array[key] = value``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.fitting import check_fits
from feedline.graph.rows import Rows, length_of
from feedline.graph.rule import batched
from feedline.graph.symbol import get_item, set_item
from feedline.graph.untraceable import refuse

__all__ = []


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of a whole block.

    ``source`` and ``destination`` are the axes to move in what it selects, for the axes of
    an element to stand as NumPy puts them for that element. ``rank`` is its rank.
    """

    key: tuple[Any, ...]
    source: tuple[int, ...]
    destination: tuple[int, ...]
    rank: int


@batched(get_item)
def _get_item(array: Any, key: Any) -> Any:
    keys = key if isinstance(key, tuple) else (key,)
    if any(isinstance(one, Rows) and one.array.dtype == np.bool for one in keys):
        refuse("selects by a mask as many numbers as it has")
    if isinstance(array, Rows):
        if all(map(_is_basic, keys)):
            return array.array[(slice(None), *keys)]
        found = _block_key(keys, array.ndim, array.length)
        return np.moveaxis(array.array[found.key], found.source, found.destination)
    found = _block_key(keys, np.ndim(array), None)
    return np.moveaxis(np.asarray(array)[found.key], found.source, found.destination)


@batched(set_item, fresh=True)
def _set_item(array: Any, key: Any, value: Any) -> Any:
    keys = key if isinstance(key, tuple) else (key,)
    length = length_of((array, keys, value))
    if isinstance(array, Rows):
        changed = np.array(array.array)
    else:
        changed = np.empty((length, *np.shape(array)), np.asarray(array).dtype)
        changed[...] = array
    rank = changed.ndim - 1
    if isinstance(value, Rows) and any(map(_is_array, keys)):
        # As NumPy does, before it looks at the places: what a cast warns of, it warns of anyway.
        value = Rows(value.array.astype(changed.dtype))
    elif isinstance(value, Rows) and not value.ndim:
        check_fits(value.array, changed.dtype)
    if len(keys) == 1 and isinstance(keys[0], Rows) and keys[0].array.dtype == np.bool:
        return _set_masked(changed, keys[0], value)
    if all(map(_is_basic, keys)):
        chosen = changed[(slice(None), *keys)]
        chosen[...] = _as_deep(value, chosen.ndim - 1)
        return changed
    found = _block_key(keys, rank, length)
    put = _as_deep(value, found.rank)
    changed[found.key] = np.moveaxis(put, found.destination, found.source)
    return changed


def _set_masked(changed: NDArray[Any], mask: Rows, value: Any) -> NDArray[Any]:
    """Set the numbers under a mask, all to what does not depend on how many there are."""
    rest = changed.ndim - 1 - mask.ndim
    if mask.shape != changed.shape[1 : mask.ndim + 1]:
        raise NotImplementedError
    put = _as_deep(value, rest)
    put = put.reshape(len(put), *(1,) * mask.ndim, *put.shape[1:])
    where = mask.array.reshape(*mask.array.shape, *(1,) * rest)
    np.copyto(changed, put, casting="unsafe", where=where)
    return changed


def _as_deep(value: Any, rank: int) -> NDArray[Any]:
    """Return a value that is assigned, with an axis for the elements and ``rank`` more."""
    array = value.array if isinstance(value, Rows) else np.asarray(value)[None]
    if array.ndim - 1 > rank or array.dtype == object:
        raise NotImplementedError
    return Rows(array).padded(rank)


# ---- keys ---------------------------------------------------------------------------


def _is_basic(key: Any) -> bool:
    return (
        key is None
        or key is Ellipsis
        or isinstance(key, slice)
        or (isinstance(key, (int, np.integer)) and not isinstance(key, bool))
    )


def _is_array(key: Any) -> bool:
    """Whether a key selects places by an array or a mask: NumPy then casts what is assigned."""
    if isinstance(key, Rows):
        return bool(key.ndim) or key.array.dtype == np.bool
    return not _is_basic(key) and (np.ndim(key) > 0 or np.asarray(key).dtype == np.bool)


def _block_key(keys: tuple[Any, ...], rank: int, length: int | None) -> _Key:
    """Return the key of a block of arrays; of one array for all elements if no length is given.

    NumPy broadcasts all index arrays, and numbers beside them, to one shape. Its axes stand
    where the index arrays stood, or first if anything stands between them.
    """
    parts = _expanded(keys, rank)
    places = [
        place for place, part in enumerate(parts) if not isinstance(part, (slice, None.__class__))
    ]
    depth = max(_depth(parts[place]) for place in places)
    before, after = places[0], len(parts) - places[-1] - 1
    apart = places[-1] - places[0] + 1 != len(places)
    between = len(parts) - len(places) - before - after
    total = before + depth + between + after
    varying = any(isinstance(part, Rows) for part in parts)
    block = tuple(part.padded(depth) if isinstance(part, Rows) else part for part in parts)
    if length is None:
        source = 0 if apart else before
        return _Key(block, (source,), (0,), total)
    if not varying:
        # Index arrays that stand apart come first, before the axis of the elements.
        return _Key((slice(None), *block), (depth if apart else 0,), (0,), total)
    number = np.arange(length).reshape(length, *(1,) * depth)
    moved = () if apart else tuple(range(1, depth + 1))
    return _Key((number, *block), moved, tuple(axis + before for axis in moved), total)


def _expanded(keys: tuple[Any, ...], rank: int) -> list[Any]:
    """Return a key with index arrays for masks and a slice for every axis it leaves out."""
    parts: list[Any] = []
    for key in keys:
        if _is_basic(key) or isinstance(key, Rows):
            parts.append(key)
            continue
        array = np.asarray(key)
        if array.dtype == np.bool and array.ndim:
            parts.extend(array.nonzero())
        elif array.dtype.kind in "iu":
            parts.append(array)
        elif not array.size:
            parts.append(array.astype(np.intp))  # an empty list
        else:
            raise NotImplementedError
    used = sum(part is not None and part is not Ellipsis for part in parts)
    missing = [slice(None)] * (rank - used)
    for place, part in enumerate(parts):
        if part is Ellipsis:
            return [*parts[:place], *missing, *parts[place + 1 :]]
    return [*parts, *missing]


def _depth(part: Any) -> int:
    return part.ndim if isinstance(part, Rows) else np.ndim(part)
