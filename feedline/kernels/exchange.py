"""exchange: the draws of a shuffle buffer, on handles instead of elements.

The buffer is a ring of handles. Handing one out draws a number for its place, and the
handle at the front of the ring takes that place, as in TensorFlow: the same seeds give
the same order. ``ring`` holds ``held`` handles from place ``front`` on, wrapping around.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["exchange", "exchange_twin"]


def exchange_twin(
    ring: NDArray[np.int64],
    front: int,
    held: int,
    arriving: NDArray[np.int64],
    draws: NDArray[np.uint32],
) -> NDArray[np.int64]:
    """Return one handle out per draw, each after an arrival has filled the ring if one is left.

    ``ring`` is changed in place: afterwards it holds what it held and the arrivals used, less
    what was handed out, from ``front + len(draws)`` on. Arrivals beyond the last draw are not
    used. Raises ValueError, with nothing changed, if there are more draws than handles.

    Example:
        >>> ring = np.array([10, 11, 12])
        >>> exchange(ring, 0, 3, np.array([13]), np.array([2, 1], np.uint32))
        array([12, 10])
        >>> ring
        array([13, 11, 11])
    """
    capacity = len(ring)
    if front < 0:
        raise ValueError(f"front must be at least 0, got {front}")
    if not 0 <= held <= capacity:
        raise ValueError(f"held must be from 0 to the length of the ring, {capacity}, got {held}")
    if len(draws) and (capacity == 0 or len(draws) > held + len(arriving)):
        raise ValueError("there are more draws than handles held and arriving")
    out = np.empty(len(draws), np.int64)
    used = 0
    for number, draw in enumerate(draws.tolist()):
        if held < capacity and used < len(arriving):
            ring[(front + held) % capacity] = arriving[used]
            used += 1
            held += 1
        place = (front + draw % held) % capacity
        out[number] = ring[place]
        ring[place] = ring[front % capacity]
        front += 1
        held -= 1
    return out


exchange = exchange_twin if native is None else native.exchange
