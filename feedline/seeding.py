"""seeding: the seed of the whole program, and what operations without a seed get from it.

As in TensorFlow an operation has two seeds: that of the program and its own. Where the
program has one, an operation without a seed gets the next of a sequence that begins anew
with every ``set_seed``: the same calls in the same order get the same seeds.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from feedline.errors import check_integer
from feedline.ids import draw_seed, mix

__all__ = [
    "DEFAULT_SEED",
    "NOTHING_INHERITED",
    "Inherited",
    "Place",
    "both",
    "global_seed",
    "next_place",
    "operation_seeds",
    "set_seed",
    "truncated",
]

DEFAULT_SEED = 87654321
"""TensorFlow's seed of the program where none was set: it stands beside that of an operation."""

# TensorFlow takes seeds modulo this.
_MOST_SEEDS = 2**31 - 1


class Place(NamedTuple):
    """Where a draw begins: the key of a Philox stream, and the halves of its counter."""

    key: int
    low: int
    high: int


class Inherited(NamedTuple):
    """What an iteration has of the seed of the program, from its beginning to its end.

    ``program`` is for steps that functions make. ``steps`` has the two seeds of every step
    that got its own from the program, by number; None in a plan that a function made.
    """

    program: int | None
    steps: Mapping[int, tuple[int, int]] | None

    def written(self) -> list[Any]:
        """Return this as JSON; an empty list if there is nothing."""
        steps = [[number, *seeds] for number, seeds in sorted((self.steps or {}).items())]
        return [self.program, steps] if steps or self.program is not None else []

    @staticmethod
    def read(written: Any) -> Inherited:
        """Return what written() was called on; raise ValueError or TypeError if that cannot be."""
        if not written:
            return NOTHING_INHERITED
        program, steps = written
        found = {int(number): (int(first), int(second)) for number, first, second in steps}
        return Inherited(None if program is None else int(program), found)


NOTHING_INHERITED = Inherited(None, {})


class _Program:
    """The seed of this process, and how far the streams of its draws outside pipelines are."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.restart(None)

    def restart(self, seed: int | None) -> None:
        """Begin again."""
        with self._lock:
            self.seed = seed
            self._operations = random.Random(seed)
            self._fresh = draw_seed()
            self._draws = 0
            self._used: dict[Hashable, int] = {}

    def seeds(self, seed: int | None) -> tuple[int, int] | None:
        """Return the two seeds of an operation that was given one, or none."""
        with self._lock:
            if seed is None and self.seed is not None:
                seed = self._operations.randint(0, _MOST_SEEDS)
            if seed is None:
                return None
            return both(DEFAULT_SEED if self.seed is None else self.seed, seed)

    def place(self, kernel: Hashable, seed: int | None, blocks: int) -> Place:
        """Return where the next draw of a kernel begins, and move on behind it."""
        seeds = self.seeds(seed)
        with self._lock:
            if seeds is None:
                self._draws += 1
                return Place(mix(self._fresh, self._draws), 0, 0)
            used = self._used.get((kernel, seeds), 0)
            self._used[kernel, seeds] = used + blocks
            return Place(seeds[0], used, seeds[1])


_PROGRAM = _Program()


def set_seed(seed: int | None) -> None:
    """Set the seed of the whole program, with TensorFlow's meaning.

    Steps of pipelines and draws outside of them that are given no seed take theirs from it, in
    the order in which they are called: ``shuffle()``, ``Dataset.random()``, ``uniform()`` give
    what they give in TensorFlow after the same calls. Those that are given one use both seeds.

    Draws in a function of a pipeline are keyed by element: they are the same in every run of
    the program, and others than TensorFlow's, which depend on the order of calls. A pipeline
    with ``Options(seed=...)`` of its own uses that in the place of this seed.

    Args:
        seed: Any integer; None for no seed, as in the beginning.

    Example:
        >>> import feedline as tf
        >>> tf.random.set_seed(1)
        >>> [int(x) for x in tf.data.Dataset.range(6).shuffle(6)]
        [4, 2, 1, 5, 0, 3]
        >>> tf.random.uniform((2,))
        array([0.51010704, 0.44353175], dtype=float32)
        >>> tf.random.set_seed(None)
    """
    _PROGRAM.restart(None if seed is None else check_integer("random.set_seed()", "seed", seed))


def global_seed() -> int | None:
    """Return the seed of the program as set_seed() got it, None if there is none."""
    return _PROGRAM.seed


def operation_seeds(seed: int | None) -> tuple[int, int] | None:
    """Return the two seeds of an operation, None where neither it nor the program has one."""
    return _PROGRAM.seeds(seed)


def next_place(kernel: Hashable, seed: int | None, blocks: int) -> Place:
    """Return where a draw outside of pipelines begins.

    Draws of one kernel with the same seeds go on where the last one ended.

    Args:
        kernel: Which of TensorFlow's kernels draws: operation and dtypes.
        seed: What the user gave.
        blocks: How many blocks of four words TensorFlow takes off the stream.
    """
    return _PROGRAM.place(kernel, seed, blocks)


def both(program: int, operation: int) -> tuple[int, int]:
    """Return two seeds as TensorFlow uses them: two zeros would mean none to it."""
    made = truncated(program), truncated(operation)
    return made if any(made) else (0, _MOST_SEEDS)


def truncated(seed: Any) -> int:
    """Return a seed as TensorFlow uses it.

    Example:
        >>> truncated(-5)
        2147483642
    """
    return int(seed) % _MOST_SEEDS
