"""Groups: elements that wait by key, until enough of one key are there."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from feedline.block import Block
from feedline.engine.pool import Pool

__all__ = ["Groups"]


@dataclass(slots=True)
class _Group:
    """What waits under one key: places in the pool, and positions in the input."""

    size: int
    places: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)


class Groups:
    """The elements that wait, each with its position in the input."""

    __slots__ = ("_free", "_groups", "_pool", "_room")

    def __init__(self) -> None:
        self._pool = Pool()
        self._free: list[int] = []
        self._room = 0
        self._groups: dict[int, _Group] = {}

    def __len__(self) -> int:
        return len(self._groups)

    def put(self, block: Block) -> list[int]:
        """Store elements that will be added to groups; return their places."""
        count = block.length
        if len(self._free) < count:
            grown = self._room + count - len(self._free)
            self._free.extend(range(self._room, grown))
            self._room = grown
        places, self._free = self._free[:count], self._free[count:]
        self._pool.put(np.array(places), block)
        return places

    def add(self, key: int, size: int, place: int, position: int) -> bool:
        """Add a stored element to the group of ``key``; return whether that has ``size`` now."""
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(size)
        group.places.append(place)
        group.positions.append(position)
        return len(group.places) >= size

    def take(self, key: int) -> tuple[Block, list[int]]:
        """Remove a group; return its elements and their positions."""
        group = self._groups.pop(key)
        rows = self._pool.take(np.array(group.places))
        self._free.extend(group.places)
        return rows, group.positions

    @property
    def least_key(self) -> int:
        """The smallest key that has a group."""
        return min(self._groups)

    @property
    def least_missing(self) -> int | None:
        """How many elements the group needs that is nearest to its size."""
        missing = [group.size - len(group.places) for group in self._groups.values()]
        return min(missing, default=None)

    @property
    def oldest(self) -> int | None:
        """The first position of an element that waits."""
        return min((group.positions[0] for group in self._groups.values()), default=None)

    def positions(self) -> list[list[object]]:
        """Return each key with the positions of its elements."""
        return [[key, group.positions.copy()] for key, group in self._groups.items()]
