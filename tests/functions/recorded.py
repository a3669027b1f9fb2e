"""Functions whose Python calls are counted."""

import functools

import numpy as np

import feedline as tf

ROW = np.array([1.0, 2.0], np.float32)


def counted(fn, **settings):
    """Return a @function, and the list of the Python calls it makes."""
    calls = []

    @tf.function(**settings)
    @functools.wraps(fn)
    def recorded(*args, **kwargs):
        calls.append(1)
        return fn(*args, **kwargs)

    return recorded, calls
