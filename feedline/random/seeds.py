"""seeds: what users give as seed, shape and algorithm of a stateless draw.

A seed is two integers, in an array or as a list; inside a recorded function it may differ
from element to element, as a whole or in parts.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.rows import Rows, stacked
from feedline.graph.streams import Streams, seeded
from feedline.narrow import array_of_data

__all__ = ["check_algorithm", "checked_shape", "given_seed", "one_seed", "seed_streams"]

# TensorFlow's names, and its numbers, for what gives the numbers here.
_PHILOX = ("philox", "autoselect", 1, 3)


def given_seed(seed: Any) -> Any:
    """Return a seed as an array with the dtype TensorFlow gives it, or as Rows of them."""
    if isinstance(seed, Rows):
        return seed
    if not isinstance(seed, (list, tuple)):
        return np.asarray(seed)
    dtype = _dtype(seed)
    rows = [part for part in seed if isinstance(part, Rows)]
    if not rows:
        return array_of_data(seed, dtype)
    parts = [stacked(part, rows[0].length) for part in seed]
    return Rows(np.stack(parts, axis=1).astype(dtype))


def one_seed(seed: Any) -> Rows:
    """Return a seed as that of a block of one element."""
    return Rows(given_seed(seed)[None])


def _dtype(parts: Any) -> Any:
    """Return the dtype of a list: that of the arrays in it, to which Python's numbers adapt."""
    arrays = [part.array if isinstance(part, Rows) else part for part in parts]
    found = [part.dtype for part in arrays if isinstance(part, (np.ndarray, np.generic))]
    return np.result_type(*found) if found else None


def seed_streams(call: str, seed: Any, length: int) -> Streams:
    """Return one stream for each of ``length`` elements."""
    given = given_seed(seed)
    array = stacked(given, length)
    if array.dtype.kind not in "iu":
        raise BuildTypeError(
            f"{call}: seed must be two integers, got {array.dtype}. For example seed=(1, 2)."
        )
    if given.shape != (2,):
        raise BuildError(
            f"{call}: seed must have the shape [2], got {list(given.shape)}. "
            "For example seed=(1, 2)."
        )
    return seeded(array.astype(np.int64))


def checked_shape(call: str, shape: Any) -> tuple[int, ...]:
    """Return the shape of a result."""
    try:
        sizes = tuple(operator.index(size) for size in shape)
    except TypeError:
        raise BuildTypeError(
            f"{call}: shape must be a list of lengths, got {shape!r}. For one number pass ()."
        ) from None
    if any(size < 0 for size in sizes):
        raise BuildError(f"{call}: shape must have lengths of at least 0, got {list(sizes)}.")
    return sizes


def check_algorithm(call: str, alg: Any) -> int:
    """Return TensorFlow's number of an algorithm, if it is Philox."""
    name = getattr(alg, "value", alg)
    if isinstance(alg, str):
        name = alg.strip().lower().replace("-", "").replace("_", "")
    if name in _PHILOX:
        return 3 if name in ("autoselect", 3) else 1
    raise BuildError(
        f'{call}: alg must be "philox" or "auto_select", got {alg!r}. '
        "Feedline has no other algorithm."
    )
