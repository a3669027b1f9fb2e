"""in_turns: some elements of every block, then the next of every block."""

import numpy as np
import pytest

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.column import Bytes, column_of
from feedline.engine.turns import in_turns
from feedline.structure import LEAF


def block_of(texts, first, with_ids):
    offsets = np.cumsum([3, *map(len, texts)])  # it need not begin where its memory does
    data = np.frombuffer(b"xyz" + b"".join(texts) + b"rest", np.uint8)
    ids = np.arange(first, first + len(texts)) if with_ids else None
    return Block(LEAF, (Bytes(data, offsets),), len(texts), ids)


@pytest.mark.parametrize("with_ids", [False, True])
@pytest.mark.parametrize("turn", [1, 2, 4])
@pytest.mark.parametrize("length", [0, 5, 70_000])
def test_every_block_has_its_turns(length, turn, with_ids):
    texts = [[bytes([65 + i, 97 + j]) * (length // 2 + j) for j in range(4)] for i in range(3)]
    blocks = [block_of(some, 10 * i, with_ids) for i, some in enumerate(texts)]
    places = [(i, j + k) for j in range(0, 4, turn) for i in range(3) for k in range(turn)]
    found = in_turns(blocks, turn, Buffers())

    assert found.rows() == [texts[i][j] for i, j in places]
    if with_ids:
        assert found.ids.tolist() == [10 * i + j for i, j in places]


def test_memory_is_used_again_once_nothing_refers_to_it():
    blocks = [block_of([bytes(50_000)] * 2, 0, False) for _ in range(2)]
    memory = Buffers()
    first = in_turns(blocks, 1, memory)
    second = in_turns(blocks, 1, memory)
    assert not np.shares_memory(first.columns[0].data, second.columns[0].data)
    place = first.columns[0].data.ctypes.data
    del first
    assert in_turns(blocks, 1, memory).columns[0].data.ctypes.data == place


def test_so_have_other_elements():
    blocks = [Block(LEAF, (column_of([i, i + 1]),), 2) for i in (10, 20)]
    assert in_turns(blocks, 1, Buffers()).rows() == [10, 20, 11, 21]
