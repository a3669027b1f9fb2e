import numpy as np
import pytest

from feedline.block import Block
from feedline.column import Bytes, Dense, Objects, Ragged
from feedline.graph.block_form import as_varied, form_of, lined_up
from feedline.structure import LEAF


def block(column):
    return Block(LEAF, (column,), len(column))


def test_blocks_of_one_form_differ_in_length_and_values_alone():
    first, second = Dense(np.zeros((3, 2))), Dense(np.ones((5, 2)))

    assert form_of(block(first)) == form_of(block(second))


@pytest.mark.parametrize(
    "other",
    [
        Dense(np.zeros((3, 2), np.float32)),
        Dense(np.zeros((3, 4))),
        Ragged(np.zeros((3, 2)), np.array([0, 1, 3])),
        Objects(["a"]),
        Objects([b"a"]),
        Bytes(np.zeros(2, np.uint8), np.array([0, 2])),
    ],
)
def test_anything_else_is_another_form(other):
    assert form_of(block(other)) != form_of(block(Dense(np.zeros((3, 2)))))


def test_elements_that_overlap_are_laid_side_by_side():
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(9.0), 3)

    assert lined_up(Dense(windows), False).array.flags.c_contiguous


def test_elements_in_another_order_in_memory_are_refused():
    turned = np.asfortranarray(np.zeros((4, 3, 2)))

    with pytest.raises(ValueError, match="another order in memory"):
        lined_up(Dense(turned), False)


def test_images_of_different_sizes_have_one_form_whatever_their_sizes():
    first = Objects([np.zeros((2, 3, 1)), np.zeros((4, 5, 1))])
    second = Objects([np.zeros((7, 3, 1)), np.zeros((4, 9, 1))])

    assert form_of(block(first)) == form_of(block(second))
    assert form_of(block(first)) != form_of(block(Objects([np.zeros((2, 3, 2))])))


def test_images_that_have_one_size_by_chance_count_as_ones_of_any_size():
    same, other = Dense(np.zeros((2, 4, 5, 1))), Dense(np.zeros((2, 6, 3, 1)))

    assert form_of(block(same)) != form_of(block(other))
    assert form_of(as_varied(block(same))) == form_of(as_varied(block(other)))


def test_what_is_no_image_stays_what_it_is():
    rows = Dense(np.zeros((2, 4, 5)))

    assert as_varied(block(rows)).columns == (rows,)
