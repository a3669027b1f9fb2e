"""turns: the elements of several blocks, in the order of their turns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.column import Bytes

__all__ = ["in_turns"]

# Byte strings of this length are worth being copied one by one, and only once.
_LONG = 1 << 12


def in_turns(blocks: Sequence[Block], order: NDArray[np.int64], memory: Buffers) -> Block:
    """Return the elements of blocks in another order: by their places in all of them together.

    Args:
        blocks: At least one.
        order: Has each place once.
        memory: For long byte strings, as they come out of files.
    """
    columns = [block.columns[0] for block in blocks if len(block.columns) == 1]
    parts = [column for column in columns if isinstance(column, Bytes)]
    if len(parts) < len(blocks) or sum(part.nbytes for part in parts) < _LONG * len(order):
        return Block.concat(blocks).take(order)
    ids = None
    if blocks[0].ids is not None:
        ids = np.concatenate([block.ids for block in blocks if block.ids is not None])[order]
    return Block(blocks[0].structure, (_moved(parts, order, memory),), len(order), ids)


def _moved(parts: Sequence[Bytes], order: NDArray[np.int64], memory: Buffers) -> Bytes:
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])[order]
    offsets = np.zeros(len(order) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    places = []
    for part in parts:
        data = np.ascontiguousarray(part.data).data
        places += [(data, start, stop) for start, stop in pairwise(part.offsets.tolist())]
    out = memory.empty(offsets.item(-1))
    to = out.data
    for number, (first, last) in zip(order.tolist(), pairwise(offsets.tolist()), strict=True):
        data, start, stop = places[number]
        to[first:last] = data[start:stop]
    return Bytes(out, offsets)
