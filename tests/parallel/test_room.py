"""Room: what may be ready, counted with what making it takes."""

import numpy as np

from feedline.block import Block
from feedline.column import Dense
from feedline.parallel.room import Memory, Room
from feedline.structure import LEAF


def block_of(nbytes):
    return Block(LEAF, (Dense(np.zeros((1, nbytes), np.uint8)),), 1)


def test_blocks_are_made_ready_until_one_more_in_the_making_would_be_too_much():
    memory = Memory(limit=1000)
    room = Room(memory, elements=100)
    entered = 0
    while room.is_open:
        room.enter(block_of(100))
        entered += 1
        # Besides what is ready: one in the reader's hand, one that is made, of what and by what.
        assert memory.held - 100 + 4 * 100 <= 1000

    assert entered == 6
    assert room.is_starved


def test_what_is_being_made_is_counted_for_all_rooms_of_a_pipeline():
    memory = Memory(limit=1000)
    room, other = Room(memory, elements=100), Room(memory, elements=100)
    for one in (room, other):
        one.enter(block_of(100))
    for _ in range(3):
        other.enter(block_of(100))

    assert room.is_open
    with other.making():
        assert not room.is_open
    assert room.is_open
