"""Pool: elements held in numbered places, put and taken in any order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.column import Bytes, Column, Dense, Objects, Ragged, column_of
from feedline.engine.held_rows import HeldRows
from feedline.ids import Ids

__all__ = ["Pool"]


class Pool:
    """Room for elements; grows as needed.

    Dense columns keep one array, byte strings and arrays of different lengths one piece of
    memory, others a list.
    """

    __slots__ = ("_buffers", "_capacity", "_ids", "_like", "_stores")

    def __init__(self) -> None:
        self._capacity = 0
        self._buffers = Buffers()
        self._like: Block | None = None
        self._stores: list[Any] = []
        self._ids: Ids | None = None

    def put(self, places: NDArray[np.int64], block: Block) -> None:
        """Put the elements of ``block`` at ``places``."""
        if self._like is None:
            self._start(block)
        assert self._like is not None
        self._grow(int(places.max()) + 1)
        block = block.aligned(self._like.structure)
        for number, column in enumerate(block.columns):
            self._stores[number] = _put(self._stores[number], places, column)
        if self._ids is not None and block.ids is not None:
            self._ids[places] = block.ids

    def take(self, places: NDArray[np.int64]) -> Block:
        """Return the elements at ``places``; the places may be put to again."""
        assert self._like is not None
        columns = tuple(self._taken(store, places) for store in self._stores)
        ids = None if self._ids is None else self._ids[places]
        return Block(self._like.structure, columns, len(places), ids)

    def _taken(self, store: Any, places: NDArray[np.int64]) -> Column:
        if isinstance(store, np.ndarray):
            return Dense(self._buffers.gathered(store, places))
        if isinstance(store, HeldRows):
            return store.take(places)
        items = [store[place] for place in places.tolist()]
        return column_of(items) if items else Objects([])

    def _start(self, block: Block) -> None:
        self._like = block.slice(0, 0)
        for column in block.columns:
            if isinstance(column, Dense):
                shape = (0, *column.array.shape[1:])
                self._stores.append(np.empty(shape, column.array.dtype))
            elif HeldRows.can_hold(column):
                assert isinstance(column, (Bytes, Ragged))
                self._stores.append(HeldRows(column))
            else:
                self._stores.append([])
        if block.ids is not None:
            self._ids = np.empty(0, np.uint64)

    def _grow(self, needed: int) -> None:
        if needed <= self._capacity:
            return
        capacity = max(needed, 2 * self._capacity)
        self._stores = [_grown(store, capacity) for store in self._stores]
        if self._ids is not None:
            self._ids = _grown(self._ids, capacity)
        self._capacity = capacity


def _grown(store: Any, capacity: int) -> Any:
    if isinstance(store, list):
        return store + [None] * (capacity - len(store))
    if isinstance(store, HeldRows):
        store.grow(capacity)
        return store
    grown = np.empty((capacity, *store.shape[1:]), store.dtype)
    grown[: len(store)] = store
    return grown


def _put(store: Any, places: NDArray[np.int64], column: Column) -> Any:
    if isinstance(store, np.ndarray):
        if isinstance(column, Dense):
            array = column.array
            if array.dtype == store.dtype and array.shape[1:] == store.shape[1:]:
                store[places] = array
                return store
        store = list(store)
    elif isinstance(store, HeldRows):
        if store.fits(column):
            store.put(places, column)
            return store
        store = store.rows()
    rows = column.rows()
    if isinstance(column, Dense) and column.array.ndim > 1:
        rows = [row.copy() for row in rows]  # do not keep the whole block alive for one row
    for place, row in zip(places.tolist(), rows, strict=True):
        store[place] = row
    return store
