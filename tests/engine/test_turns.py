"""in_turns: the same elements as if they were joined and then taken in that order."""

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
@pytest.mark.parametrize("length", [0, 5, 4096, 70_000])
def test_they_are_the_elements_at_these_places(length, with_ids):
    texts = [[bytes([65 + i, 97 + j]) * (length // 2 + j) for j in range(4)] for i in range(3)]
    blocks = [block_of(some, 10 * i, with_ids) for i, some in enumerate(texts)]
    order = np.arange(12).reshape(3, 4).T.reshape(-1)
    found = in_turns(blocks, order, Buffers())

    assert found.rows() == [texts[i][j] for j in range(4) for i in range(3)]
    if with_ids:
        assert found.ids.tolist() == [10 * i + j for j in range(4) for i in range(3)]


def test_memory_is_used_again_once_nothing_refers_to_it():
    blocks = [block_of([bytes(50_000)] * 2, 0, False) for _ in range(2)]
    memory, order = Buffers(), np.array([0, 2, 1, 3])
    first = in_turns(blocks, order, memory)
    second = in_turns(blocks, order, memory)
    assert not np.shares_memory(first.columns[0].data, second.columns[0].data)
    place = first.columns[0].data.ctypes.data
    del first
    assert in_turns(blocks, order, memory).columns[0].data.ctypes.data == place


def test_other_elements_are_joined_and_taken():
    blocks = [Block(LEAF, (column_of([i, i + 1]),), 2) for i in (10, 20)]
    assert in_turns(blocks, np.array([0, 2, 1, 3]), Buffers()).rows() == [10, 20, 11, 21]
