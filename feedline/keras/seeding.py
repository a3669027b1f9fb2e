"""seeding: every source of random numbers, seeded with one call."""

from __future__ import annotations

import random

import numpy as np

from feedline.errors import BuildError, check_integer
from feedline.random import set_seed

__all__ = ["set_random_seed"]

_MOST = 2**32 - 1


def set_random_seed(seed: int) -> None:
    """Seed Python's random numbers, NumPy's and those of tf.random.

    Those of the library of your model are seeded by that library.

    Args:
        seed: From 0 to 2**32 - 1, as NumPy asks for.

    Example:
        >>> import feedline as tf
        >>> set_random_seed(3)
        >>> one = tf.random.uniform([2])
        >>> set_random_seed(3)
        >>> bool((tf.random.uniform([2]) == one).all())
        True
    """
    number = check_integer("set_random_seed()", "seed", seed)
    if not 0 <= number <= _MOST:
        raise BuildError(f"set_random_seed(): seed must be from 0 to {_MOST}, got {number}.")
    random.seed(number)
    np.random.seed(number)
    set_seed(number)
