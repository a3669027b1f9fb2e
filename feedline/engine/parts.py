"""Parts: blocks that become one, copied to their place as they come.

Large elements that arrive a few at a time, such as images for a batch, are copied while they
are in the cache, into memory that was used before. Waiting until all are there would read
them from memory again, and have the operating system clear pages for every batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.column import Column, Dense, concat_columns
from feedline.places import is_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Parts"]

WholeOf = Callable[["NDArray[Any]"], "NDArray[Any] | None"]

# Smaller results are joined at the end, which is simpler and as fast.
_SMALLEST = 1 << 20


class Parts:
    """Up to ``count`` elements that come in blocks.

    Args:
        count: How many there will be, if the input does not end before.
        buffers: Memory that is used again.
        whole_of: Returns memory for all elements of which an array is the beginning, if it is.
    """

    def __init__(self, count: int, buffers: Buffers, whole_of: WholeOf | None = None) -> None:
        self.length = self.nbytes = 0
        self._count = count
        self._buffers = buffers
        self._whole_of = whole_of
        self._blocks: list[Block] = []
        # Where the values of dense columns go, by the number of the column, once there is a place.
        self._places: dict[int, NDArray[Any]] | None = None
        # Those that whoever computes the elements writes to as well.
        self._shared: set[int] = set()
        # The blocks in hand whose dense columns are in their places already.
        self._placed = 0

    def add(self, block: Block) -> None:
        """Take the next elements."""
        self._blocks.append(block)
        self.length += block.length
        self.nbytes += block.nbytes
        if len(self._blocks) == 1:
            return
        if len(self._blocks) == 2 and self._is_large:
            self._places = self._made_places(self._blocks[0])
        if self._places is not None:
            self._place_blocks()

    @property
    def _is_large(self) -> bool:
        return self.nbytes * self._count >= _SMALLEST * self.length

    def _made_places(self, like: Block) -> dict[int, NDArray[Any]]:
        places: dict[int, NDArray[Any]] = {}
        for number, column in enumerate(like.columns):
            if isinstance(column, Dense):
                array = column.array
                shape = (self._count, *array.shape[1:])
                place = None if self._whole_of is None else self._whole_of(array)
                if place is not None:
                    self._shared.add(number)
                else:
                    place = self._buffers.empty(shape, array.dtype)
                places[number] = place
        return places

    def _place_blocks(self) -> None:
        """Copy the dense columns of blocks that came, and let go of them."""
        assert self._places is not None
        at = sum(block.length for block in self._blocks[: self._placed])
        for number in range(self._placed, len(self._blocks)):
            block = self._blocks[number]
            if block.structure != self._blocks[0].structure:
                self._give_up()
                return
            columns = list(block.columns)
            for which, place in self._places.items():
                column = columns[which]
                if not _fits(column, place):
                    self._give_up()
                    return
                assert isinstance(column, Dense)
                rows = place[at : at + block.length]
                is_there = which in self._shared and is_at(column.array, rows)
                if not is_there:
                    if which in self._shared and _is_used(rows, columns):
                        self._give_up()
                        return
                    np.copyto(rows, column.array)
                columns[which] = Dense(rows)
            self._blocks[number] = Block(block.structure, tuple(columns), block.length, block.ids)
            at += block.length
            self._placed += 1

    def _give_up(self) -> None:
        """Join everything at the end: elements differ. What was copied is where it is."""
        self._places = None

    def joined(self) -> Block | None:
        """Return all elements as one block, None if there are none."""
        blocks = self._blocks
        if not self._places or len(blocks) < 2:
            return Block.concat(blocks, self._buffers.empty) if blocks else None
        first = blocks[0]
        columns: list[Column] = []
        for number in range(len(first.columns)):
            if number in self._places:
                columns.append(Dense(self._places[number][: self.length]))
            else:
                parts = [block.columns[number] for block in blocks]
                columns.append(concat_columns(parts, self._buffers.empty))
        ids = None
        if first.ids is not None:
            ids = np.concatenate([block.ids for block in blocks if block.ids is not None])
        return Block(first.structure, tuple(columns), self.length, ids)


def _is_used(rows: NDArray[Any], columns: list[Column]) -> bool:
    """Whether one of the columns lies where these rows are to be."""
    return any(isinstance(c, Dense) and np.may_share_memory(c.array, rows) for c in columns)


def _fits(column: Column, place: NDArray[Any]) -> bool:
    if not isinstance(column, Dense):
        return False
    return column.array.dtype == place.dtype and column.array.shape[1:] == place.shape[1:]
