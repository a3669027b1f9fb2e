"""ids: element ids, and the counter-based random numbers keyed by them.

Every number here is a pure function of its arguments: no generator is kept, read or
advanced. That is what makes a random draw the same on any number of threads, in any
order, and after a resume.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Ids",
    "ROOT_SCOPE",
    "Rounds",
    "Scope",
    "draw_seed",
    "generator_for",
    "mix",
    "mix_ids",
    "uniform",
]

Ids = NDArray[np.uint64]

_MASK = (1 << 64) - 1


def mix(*words: int) -> int:
    """Return a 64-bit hash of some integers; order matters."""
    state = 0
    for word in words:
        state = _finish((state + 0x9E3779B97F4A7C15 + (word & _MASK)) & _MASK)
    return state


def mix_ids(ids: Ids, word: int) -> Ids:
    """Return ``ids`` changed by ``word``: the ids of elements made anew from old ones."""
    salt = np.uint64(mix(word))
    mixed: Ids = ids ^ salt
    mixed += np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def uniform(key: int, ids: Ids, draw: int = 0) -> NDArray[np.float64]:
    """Return one number in [0, 1) per id: the ``draw``-th of that element under ``key``."""
    bits = mix_ids(ids, mix(key, draw))
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def generator_for(key: int, element_id: int) -> np.random.Generator:
    """Return the generator of one element: the same for the same key and id."""
    return np.random.Generator(np.random.Philox(key=(key, mix(key, element_id)), counter=0))


def draw_seed() -> int:
    """Return a fresh seed from the operating system, small enough for JSON readers."""
    return secrets.randbits(53)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which pass over a plan this is: the epochs of its repeats, the parents of its nested plans.

    ``key`` enters every id and every unseeded draw; it is 0 in the first epoch, so that
    ``repeat(1)`` changes nothing. ``epoch`` counts passes, for shuffles with a seed.
    """

    key: int = 0
    epoch: int = 0

    def repeated(self, epoch: int, count: int) -> Scope:
        """Return the scope of one epoch of a repeat (``count`` is negative for ever)."""
        if epoch == 0 and self.epoch == 0:
            return self
        before = self.epoch * count if count > 0 else self.epoch
        return Scope(mix(self.key, epoch) if epoch else self.key, before + epoch)

    def nested(self, parent_id: int) -> Scope:
        """Return the scope of the plan a function made of one parent element."""
        return Scope(mix(self.key, 1, parent_id), 0)

    def ids(self, positions: NDArray[Any]) -> Ids:
        """Return the ids of source elements at ``positions``."""
        ids: Ids = positions.astype(np.uint64)
        return mix_ids(ids, self.key) if self.key else ids


ROOT_SCOPE = Scope()


class Rounds:
    """How often a random node has been started in this process.

    tf.data reshuffles on every iteration over the same dataset, so a dataset must know
    which iteration is the next. An iterator's state holds the number it was given, and
    a resumed iterator uses that: only fresh iterators look here.
    """

    __slots__ = ("_next",)

    def __init__(self) -> None:
        self._next = 0

    def start(self) -> int:
        """Return the number of the round that starts now."""
        number = self._next
        self._next += 1
        return number

    def reached(self, number: int) -> None:
        """Note that round ``number`` is in use, so that the next iteration comes after it."""
        self._next = max(self._next, number + 1)


def _finish(word: int) -> int:
    word ^= word >> 30
    word = (word * 0xBF58476D1CE4E5B9) & _MASK
    word ^= word >> 27
    word = (word * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)
