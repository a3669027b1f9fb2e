from feedline.block import Block
from feedline.engine.block_size import BlockSize


def test_it_begins_with_one_element_and_doubles_while_blocks_are_cheap():
    size, seen = BlockSize(), []
    for _ in range(5):
        seen.append(size.now)
        size.adapt(Block.of(list(range(size.now))), 1)

    assert seen == [1, 2, 4, 8, 16]


def test_it_shrinks_at_once_when_blocks_take_long():
    size = BlockSize(target_ns=1000)
    size.now = 100
    size.adapt(Block.of(list(range(100))), 100_000)

    assert size.now == 1


def test_large_elements_come_in_small_blocks():
    size = BlockSize()
    size.now = 64
    size.adapt_to(64, 256 << 20, 1)

    assert size.now == 1
