"""Memory does not grow however often a pipeline is run.

FEEDLINE_SOAK_EPOCHS makes it last longer than the suite has time for.
"""

import gc
import os

import numpy as np
import pytest

import feedline as tf

EPOCHS = int(os.environ.get("FEEDLINE_SOAK_EPOCHS", "200"))
AUTOTUNE = tf.data.AUTOTUNE
Dataset = tf.data.Dataset


def plain(x):
    return np.full(100, int(x) + 1)


def failing(x):
    if x % 5 == 0:
        raise ValueError(x)
    return x


PIPELINES = {
    "vectorised": Dataset.range(64).map(lambda x: x * 2 + 1).shuffle(16).batch(8),
    "threads": Dataset.range(64).map(plain, num_parallel_calls=3).batch(8).prefetch(2),
    "tuned": Dataset.range(64).map(plain, num_parallel_calls=AUTOTUNE).batch(8).prefetch(AUTOTUNE),
    "unordered": Dataset.range(64).map(plain, num_parallel_calls=3, deterministic=False),
    "interleaved": Dataset.range(8).interleave(
        lambda x: Dataset.range(x, x + 8), 4, num_parallel_calls=2
    ),
    "failing": Dataset.range(64).map(failing, num_parallel_calls=2).ignore_errors().prefetch(4),
}


def resident():
    """Return how many bytes of memory the process holds."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


WAYS = [(name, ends) for name in PIPELINES for ends in ("at the end", "early")]


@pytest.mark.parametrize(("name", "ends"), WAYS)
def test_memory_does_not_grow_with_the_number_of_epochs(name, ends):
    ds = PIPELINES[name]

    def run(epochs):
        for _ in range(epochs):
            it = iter(ds)
            if ends == "early":
                next(it)
            else:
                sum(1 for _ in it)

    run(EPOCHS // 4)
    before = resident()
    run(EPOCHS)

    assert resident() - before < 6 << 20
