"""Ctrl-C in the middle of a block loses nothing: neither for who goes on nor for who resumes."""

from __future__ import annotations

import numpy as np
import pytest

import feedline as tf
from feedline.testing import assert_same_elements

Dataset = tf.data.Dataset


class StopsOnce:
    """Passes elements on, but at the fifth of them the user presses Ctrl-C, once."""

    def __init__(self):
        self.armed = True

    def __call__(self, x):
        if x == 5 and self.armed:
            self.armed = False
            raise KeyboardInterrupt
        return x


BUILT = {
    "map": lambda ds: ds,
    "batch": lambda ds: ds.batch(3),
    "padded_batch": lambda ds: ds.padded_batch(3),
    "shuffle": lambda ds: ds.shuffle(4, seed=1),
    "scan": lambda ds: ds.scan(np.int64(0), lambda state, x: (state + x, state)),
    "window": lambda ds: ds.window(2).flat_map(lambda w: w.batch(2)),
    "group_by_window": lambda ds: ds.group_by_window(
        lambda x: x % 2, lambda key, window: window.batch(3), window_size=3
    ),
    "cache": lambda ds: ds.cache().repeat(2),
    "flat_map": lambda ds: ds.flat_map(lambda x: Dataset.from_tensors(x).repeat(2)),
    "interleave": lambda ds: ds.interleave(lambda x: Dataset.from_tensors(x).repeat(2), 3),
    "unique": lambda ds: ds.unique(),
    "zip": lambda ds: Dataset.zip(ds, ds),
    "repeat": lambda ds: ds.repeat(2),
}


@pytest.mark.parametrize("resumes", [False, True])
@pytest.mark.parametrize("name", BUILT)
def test_nothing_is_lost(name, resumes):
    ds = BUILT[name](Dataset.range(10).map(StopsOnce()))
    it, head = iter(ds), []
    with pytest.raises(KeyboardInterrupt):
        head.extend(it)  # keeps what came before
    rest = it
    if resumes:
        rest = iter(ds)
        rest.load_state_dict(it.state_dict())

    assert_same_elements([*head, *rest], BUILT[name](Dataset.range(10)))
