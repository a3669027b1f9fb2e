"""The rule of functions of each number by itself."""

import numpy as np
import pytest

from feedline.graph.broadcasting import Elementwise
from feedline.graph.rows import Rows


def test_operands_broadcast_as_they_do_for_each_element():
    added = Elementwise(np.add)(Rows(np.ones((5, 3))), Rows(np.ones((5, 4, 3))))

    assert added.shape == (5, 4, 3)


def test_a_reversed_block_is_done_at_once_only_if_it_is_rounded_once():
    block = Rows(np.linspace(1, 2, 12).reshape(4, 3)[:, ::-1])

    assert Elementwise(np.sqrt)(block).shape == (4, 3)
    with pytest.raises(NotImplementedError):
        Elementwise(np.log)(block)


def test_options_of_what_is_not_rounded_once_are_left_to_each_element():
    with pytest.raises(NotImplementedError):
        Elementwise(np.log)(Rows(np.ones((4, 3))), dtype=np.float64)
