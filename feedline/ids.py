"""ids: element ids, and the counter-based random numbers keyed by them.

Every number here is a pure function of its arguments: no generator is kept, read or
advanced. That is what makes a random draw the same on any number of threads, in any
order, and after a resume.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.mix_ids import mix, mix_ids

__all__ = [
    "ROOT_SCOPE",
    "Ids",
    "Rounds",
    "Scope",
    "draw_seed",
    "generators_for",
    "mix",
    "mix_ids",
]

Ids = NDArray[np.uint64]


def generators_for(key: int, ids: Ids) -> Iterator[np.random.Generator]:
    """Yield each element's generator: the same for the same key and id.

    It is one object, set anew for every element: making a generator takes ten times as long.
    """
    bits = np.random.Philox(key=(key, 0))
    generator = np.random.Generator(bits)
    fresh = bits.state
    words = fresh["state"]["key"]
    for words[1] in mix_ids(ids, key):
        bits.state = fresh
        yield generator


def draw_seed() -> int:
    """Return a fresh seed from the operating system, small enough for JSON readers."""
    return int.from_bytes(os.urandom(7)) >> 3


@dataclass(frozen=True, slots=True)
class Scope:
    """Which pass over a plan this is: the epochs of its repeats, the parents of its nested plans.

    ``key`` enters every id and every unseeded draw; it is 0 in the first epoch, so that
    ``repeat(1)`` changes nothing. ``epoch`` counts passes, for shuffles with a seed.
    ``parent`` is the part of the key that comes from parents alone, for draws that are
    the same in every epoch.
    """

    key: int = 0
    epoch: int = 0
    parent: int = 0

    def repeated(self, epoch: int, count: int, number: int) -> Scope:
        """Return the scope of one epoch of a repeat.

        Args:
            epoch: Which.
            count: How many there are; negative for ever.
            number: Of the repeat, since one may stand inside another.
        """
        if epoch == 0 and self.epoch == 0:
            return self
        before = self.epoch * count if count > 0 else self.epoch
        key = mix(self.key, number, epoch) if epoch else self.key
        return Scope(key, before + epoch, self.parent)

    def nested(self, parent_id: int) -> Scope:
        """Return the scope of the plan a function made of one parent element."""
        key = mix(self.key, 1, parent_id)
        return Scope(key, 0, key)

    def ids(self, positions: NDArray[Any]) -> Ids:
        """Return the ids of source elements at ``positions``."""
        ids: Ids = positions.astype(np.uint64)
        return mix_ids(ids, self.key) if self.key else ids

    def first_ids(self, parents: Ids) -> Ids:
        """Return ``nested(parent).ids([0])`` for many parents at once."""
        return self.child_ids(parents, np.ones(len(parents), np.int64))

    def child_ids(self, parents: Ids, counts: NDArray[np.int64]) -> Ids:
        """Return ``nested(parent).ids(range(count))`` for many parents, one after the other."""
        keys = _mixed_once(_mixed_once(parents + np.uint64(mix(self.key, 1))))
        places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return _mixed_once(np.repeat(keys, counts) ^ places.astype(np.uint64))


def _mixed_once(words: Ids) -> Ids:
    """Return ``mix(word)`` for each of ``words``."""
    return mix_ids(words ^ np.uint64(mix(0)), 0)


ROOT_SCOPE = Scope()


class Rounds:
    """How often a random node has been started in this process.

    tf.data reshuffles on every iteration over the same dataset, so a dataset must know
    which iteration is the next. An iterator's state holds the number it was given, and
    a resumed iterator uses that: only fresh iterators look here.
    """

    __slots__ = ("_next", "_seeds")

    def __init__(self) -> None:
        self._next = 0
        self._seeds: dict[int | None, int] = {}

    def fixed_seed(self, seed: int | None, number: int) -> int:
        """Return a seed that is made once and then stays the same.

        Args:
            seed: What it is made from, with the number; None draws it.
            number: Of the node, in the plan that asks first. Other plans that hold the node
                may number it otherwise, and must have the same order.
        """
        if seed not in self._seeds:
            made = draw_seed() if seed is None else mix(seed, number) >> 11
            self._seeds[seed] = made
        return self._seeds[seed]

    def restarted(self) -> Rounds:
        """Return the same as it was before the first iteration."""
        fresh = Rounds()
        fresh._seeds = dict(self._seeds)
        return fresh

    def start(self, passes: int) -> int:
        """Return the number of the first pass of an iteration that makes ``passes`` of them."""
        number = self._next
        self._next += passes
        return number
