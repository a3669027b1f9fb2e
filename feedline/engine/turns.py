"""turns: the elements of several blocks, in the order of their turns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.column import Bytes
from feedline.kernels.texts_in_turns import texts_in_turns

__all__ = ["in_turns"]


def in_turns(blocks: Sequence[Block], length: int, memory: Buffers) -> Block:
    """Return ``length`` elements of every block, then the next of every block, and so on.

    Args:
        blocks: At least one, all of equally many elements, in whole turns.
        length: Of each turn.
        memory: For byte strings, as they come out of files.
    """
    columns = [block.columns[0] for block in blocks if len(block.columns) == 1]
    texts = [(column.data, column.offsets) for column in columns if isinstance(column, Bytes)]
    if len(texts) < len(blocks):
        return Block.concat(blocks).take(_order(blocks, length))
    column = Bytes(*texts_in_turns(texts, length, memory.empty))
    ids = [block.ids for block in blocks if block.ids is not None]
    ordered = np.concatenate(ids)[_order(blocks, length)] if ids else None
    return Block(blocks[0].structure, (column,), len(column), ordered)


def _order(blocks: Sequence[Block], length: int) -> NDArray[np.int64]:
    """Return the places of the elements in all blocks together."""
    every = np.arange(sum(block.length for block in blocks))
    return every.reshape(len(blocks), -1, length).transpose(1, 0, 2).reshape(-1)
