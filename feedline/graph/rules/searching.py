"""Values looked up in tables: sorted tables, bins, sets, interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, length_of, stacked
from feedline.graph.rule import batched, loops

__all__ = []


@batched(np.searchsorted, fresh=True)
def _searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    if not isinstance(a, Rows):
        if isinstance(sorter, Rows):
            raise NotImplementedError
        _check_sorted(np.asarray(a) if sorter is None else np.asarray(a)[sorter])
        return np.searchsorted(a, v.array, side, sorter)
    if sorter is not None:
        raise NotImplementedError
    needles = stacked(v, a.length)
    if needles.dtype != a.array.dtype or needles.dtype.kind == "c":
        raise NotImplementedError  # NumPy would promote both
    found = _searched(a.array, Rows(needles).flat(), side)
    return found.reshape(needles.shape)


def _check_sorted(table: NDArray[Any]) -> None:
    """Raise unless a table is sorted, with NaNs at its end.

    Only then does a search find the same place wherever it begins: NumPy begins where the
    last one ended.
    """
    before, after = table[:-1], table[1:]
    in_order = before <= after
    if table.dtype.kind == "f" and not in_order.all():
        in_order |= np.isnan(after)
    if table.dtype.kind == "c" or not in_order.all():
        raise NotImplementedError


def _searched(tables: NDArray[Any], needles: NDArray[Any], side: str) -> NDArray[np.intp]:
    """Look the needles of each row up in the table of the same row, all rows at once."""
    # In a table that is not sorted the result depends on the way it is searched. NaNs have a
    # place in NumPy's order, but no comparison finds it.
    if not (tables[:, :-1] <= tables[:, 1:]).all() or (needles != needles).any():
        raise NotImplementedError
    if (tables[:, -1:] != tables[:, -1:]).any():
        raise NotImplementedError
    size = tables.shape[1]
    low = np.zeros(needles.shape, np.intp)
    high = np.full(needles.shape, size, np.intp)
    for _ in range(size.bit_length()):
        middle = (low + high) // 2
        values = np.take_along_axis(tables, np.minimum(middle, size - 1), 1)
        right = values < needles if side == "left" else values <= needles
        right &= low < high
        high = np.where(right, high, middle)
        low = np.where(right, middle + 1, low)
    return low


@batched(np.digitize, fresh=True)
def _digitize(x: Any, bins: Any, right: bool = False) -> Any:
    if isinstance(bins, Rows):
        raise NotImplementedError
    table = np.asarray(bins)
    if (table != table).any():
        raise NotImplementedError  # NumPy takes any table with NaNs in it for a sorted one
    return np.digitize(x.array, bins, right)


@batched(np.isin, fresh=True)
def _isin(element: Any, test_elements: Any, *args: Any, **kwargs: Any) -> Any:
    if not isinstance(test_elements, Rows):
        kinds = {element.array.dtype.kind, np.asarray(test_elements).dtype.kind}
        if kinds == {"i", "u"} or "c" in kinds:
            # How NumPy compares depends on how many there are: by itself or as floats.
            raise NotImplementedError
        return np.isin(element.array, test_elements, *args, **kwargs)
    length = length_of((element, test_elements))
    values, tests = stacked(element, length), test_elements.flat()
    if args or kwargs.keys() - {"invert"} or values.dtype != tests.dtype:
        raise NotImplementedError
    tests = tests.reshape(length, *(1,) * (values.ndim - 1), tests.shape[1])
    found = (values[..., None] == tests).any(-1)
    return ~found if kwargs.get("invert") else found


@batched(np.interp, fresh=True)
def _interp(x: Any, xp: Any, fp: Any, *args: Any, **kwargs: Any) -> Any:
    if isinstance(xp, Rows) or isinstance(fp, Rows) or kwargs.get("period") is not None:
        raise NotImplementedError
    places = np.asarray(xp, np.float64)
    if len(args) > 2 or not (places[:-1] < places[1:]).all():
        # NumPy starts each search where the last one ended: that must not matter.
        raise NotImplementedError
    return np.interp(x.array, xp, fp, *args, **kwargs)


# Dates are looked up in a calendar, with arguments that do not broadcast.
loops(np.busday_count, np.busday_offset, np.is_busday, fresh=True)
