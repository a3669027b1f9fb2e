import numpy as np
import pytest

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.engine.parts import Parts
from feedline.errors import SpecError

LARGE = (64, 64, 16)


def images(first, count, shape=LARGE, dtype=np.float32):
    values = [(np.full(shape, first + i, dtype), f"name {first + i}") for i in range(count)]
    return Block.of(values, np.arange(first, first + count, dtype=np.uint64))


def joined(blocks, count):
    parts = Parts(count, Buffers(1 << 27))
    for block in blocks:
        parts.add(block)
    return parts.joined()


def check(block, count):
    pixels, names = block.columns
    assert [float(row.flat[0]) for row in pixels.rows()] == list(range(count))
    assert names.rows() == [f"name {i}" for i in range(count)]
    assert block.ids.tolist() == list(range(count))


@pytest.mark.parametrize("shape", [(2,), LARGE])
@pytest.mark.parametrize("sizes", [[5], [1, 1, 1, 1, 1], [2, 3], [1, 3, 1]])
def test_blocks_become_one_with_the_elements_in_order(sizes, shape):
    starts = np.cumsum([0, *sizes])
    blocks = [images(int(a), n, shape) for a, n in zip(starts, sizes, strict=False)]

    check(joined(blocks, 5), 5)


def test_an_input_that_ends_early_gives_what_there_is():
    check(joined([images(0, 2), images(2, 1)], 64), 3)


def test_nothing_becomes_none():
    assert joined([], 4) is None


def test_elements_of_another_shape_or_dtype_are_left_as_they_are():
    blocks = [images(0, 1), images(1, 1), images(2, 1, (3,)), images(3, 1, dtype=np.int8)]

    check(joined(blocks, 4), 4)
    shapes = [row.shape for row in joined(blocks, 4).columns[0].rows()]
    assert shapes == [LARGE, LARGE, (3,), LARGE]


def test_another_structure_is_an_error():
    with pytest.raises(SpecError, match="one structure"):
        joined([images(0, 1), images(1, 1), Block.of([np.zeros(LARGE)])], 3)


def test_memory_is_used_again_once_nobody_holds_it():
    buffers = Buffers(1 << 27)
    where = set()
    for _ in range(5):
        parts = Parts(8, buffers)
        for number in range(8):
            parts.add(images(number, 1))
        where.add(parts.joined().columns[0].array.ctypes.data)
        del parts

    assert len(where) == 1


def test_memory_that_is_held_is_left_alone():
    buffers, held = Buffers(1 << 27), []
    for _ in range(6):
        parts = Parts(4, buffers)
        for number in range(4):
            parts.add(images(number, 1))
        held.append(parts.joined())
    for block in held:
        check(block, 4)
