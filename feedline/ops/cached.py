"""cached: what a cache holds, and what it was drawn with. See cache.py for the contract."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.ids import ROOT_SCOPE, Scope
from feedline.plan.rewrite import renumber_random_nodes
from feedline.seeding import NOTHING_INHERITED, Inherited

if TYPE_CHECKING:
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.ops.cache import Cache

__all__ = ["Memory", "Origin", "Record"]

# How many small blocks are joined to one.
_JOINED = 512


@dataclass(frozen=True)
class Origin:
    """What a pass drew its random numbers with: enough to compute its elements again.

    ``rounds`` has the number and the round of every random step before the cache: in
    another plan built on the same cache these steps may have other numbers.
    """

    seed: int = 0
    rounds: tuple[tuple[int, int], ...] = ()
    scope: Scope = ROOT_SCOPE
    inherited: Inherited = NOTHING_INHERITED

    @staticmethod
    def of(run: Run, node: Cache) -> Origin:
        """Return what a run would fill the cache with."""
        if not node.draws:
            return Origin()
        rounds = tuple((number, run.rounds.get(number, 0)) for number in node.numbers)
        inherited, numbers = run.inherited, set(node.numbers)
        if inherited.steps:
            steps = {n: seeds for n, seeds in inherited.steps.items() if n in numbers}
            inherited = inherited._replace(steps=steps)
        return Origin(run.seed, rounds, run.scope, inherited)

    def open(self, run: Run, node: Cache) -> Stream:
        """Return the input of the cache, which draws as the pass this was taken from."""
        drawing = replace(
            run,
            seed=self.seed,
            rounds=dict(self.rounds),
            scope=self.scope,
            inherited=self.inherited,
        )
        if not self.rounds:
            return drawing.open(node.input)
        numbers = dict(zip(node.numbers, [number for number, _ in self.rounds], strict=True))
        return drawing.open(renumber_random_nodes(node.input, numbers))

    def written(self) -> list[Any]:
        """Return this as JSON."""
        scope = self.scope
        rounds = [list(pair) for pair in self.rounds]
        made = [self.seed, rounds, [scope.key, scope.epoch, scope.parent]]
        inherited = self.inherited.written()
        return [*made, inherited] if inherited else made

    @staticmethod
    def read(written: list[Any]) -> Origin:
        """Return what written() was called on."""
        seed, rounds, scope, *inherited = written
        return Origin(
            int(seed),
            tuple((int(n), int(r)) for n, r in rounds),
            Scope(*map(int, scope)),
            *map(Inherited.read, inherited),
        )


class Memory:
    """What a cache holds, shared by all passes over it in this process.

    ``origin`` alone is known after a resume: the content is to be computed with that.
    """

    __slots__ = ("block", "failed", "origin")

    def __init__(self) -> None:
        self.origin: Origin | None = None
        # The elements, an empty list if there are none; None while they are not known.
        self.block: list[Block] | None = None
        # Whether some element failed: then others cannot be found by counting the input's.
        self.failed = False

    def settle(self, origin: Origin) -> None:
        """Say what the content is, unless that is known."""
        if self.origin is None:
            self.origin = origin

    def fill(self, origin: Origin, blocks: list[Block], failed: bool) -> None:
        """Take the elements of a full pass, unless another came first."""
        self.settle(origin)
        if self.block is None and self.origin == origin:
            self.failed = failed
            self.block = [Block.concat(blocks).read_only()] if blocks else []

    def __reduce__(self) -> tuple[Any, ...]:
        return Memory, ()


class Record:
    """Elements that come by index, in any order and some of them again, until all were seen."""

    def __init__(self, length: int) -> None:
        self.num_missing = length
        self._missing: NDArray[np.bool_] | None = None
        # In the order in which they came: those joined to larger blocks, and the latest.
        self._joined: list[tuple[NDArray[np.int64], Block]] = []
        self._latest: list[tuple[NDArray[np.int64], Block]] = []

    def add(self, index: NDArray[np.int64], block: Block) -> None:
        """Take the elements at ``index``."""
        if self._missing is None:
            self._missing = np.ones(self.num_missing, np.bool_)
        firsts = np.unique(index, return_index=True)[1]
        firsts = firsts[self._missing[index[firsts]]]
        if not len(firsts):
            return
        self._missing[index] = False
        self.num_missing -= len(firsts)
        self._latest.append((index[firsts], block.take(firsts)))
        if len(self._latest) == _JOINED:
            self._joined.append(_joined(self._latest))
            self._latest = []

    def content(self) -> Block:
        """Return all elements in the order of their indices."""
        index, block = _joined(self._joined + self._latest)
        return block.take(np.argsort(index))


def _joined(parts: list[tuple[NDArray[np.int64], Block]]) -> tuple[NDArray[np.int64], Block]:
    return np.concatenate([part[0] for part in parts]), Block.concat([part[1] for part in parts])
