"""random: random integers without an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.engine.access import CursorExec
from feedline.errors import check_integer
from feedline.ids import mix
from feedline.kernels.philox import philox_stream
from feedline.ops.counter import Endless
from feedline.options import INFINITE_CARDINALITY
from feedline.plan.node import RandomNode, Traits
from feedline.spec import TensorSpec

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["GRAPH_SEED", "Random", "SeededNode", "operation_seed", "random"]

# TensorFlow's default graph seed: it stands beside the seed of an operation.
GRAPH_SEED = 87654321
# TensorFlow takes the seed of an operation modulo this.
_MOST_SEEDS = 2**31 - 1


# ---- what the user calls ---------------------------------------------------


def random(
    cls: type[Dataset[Any]],
    seed: int | None = None,
    rerandomize_each_iteration: bool | None = None,
    name: str | None = None,
) -> Dataset[Any]:
    """Return random integers from 0 to 2**32 - 1 as int64, for ever.

    Args:
        seed: Same seed, same numbers, on any machine, and the same as tf.data's. Without
            one every iteration gives other numbers.
        rerandomize_each_iteration: True gives other numbers in every epoch and, with a
            seed, in every iteration too.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.random(seed=5).take(2)]
        [3568415791, 2798973839]
    """
    return cls(
        Random(operation_seed("random()", seed), bool(rerandomize_each_iteration), name=name)
    )


def operation_seed(call: str, seed: Any) -> int | None:
    """Return the seed a user gave to an operation as TensorFlow uses it."""
    return None if seed is None else check_integer(call, "seed", seed) % _MOST_SEEDS


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class SeededNode(RandomNode):
    """A node whose draws come from one stream of random numbers per pass."""

    seed: int | None
    rerandomize: bool

    def stream_seeds(self, run: Run) -> tuple[int, int]:
        """Return the two seeds of this pass: what tf.data would use if a seed was given."""
        number = run.round_of(self.number) if self.rerandomize else 0
        run.reached(self.rounds, number)
        if self.seed is None:
            return mix(run.key(self.number), run.scope.parent, number), 0
        if not self.rerandomize:
            return GRAPH_SEED, self.seed
        first, second = philox_stream(GRAPH_SEED, self.seed, 2 * number, 2).tolist()
        return first, second


@dataclass(frozen=True)
class Random(SeededNode):
    """Random integers."""

    traits: ClassVar[Traits] = Traits(random=True)

    def lower(self, run: Run) -> CursorExec:
        """Seek for free."""
        return CursorExec(Drawn(self.stream_seeds(run), run))

    def cardinality(self, inputs: Sequence[int]) -> int:
        """There is no end."""
        return INFINITE_CARDINALITY

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """A scalar."""
        return TensorSpec((), np.int64)


# ---- what runs -------------------------------------------------------------


class Drawn(Endless):
    """The numbers of a stream."""

    def __init__(self, seeds: tuple[int, int], run: Run) -> None:
        super().__init__(run)
        self._seeds = seeds

    def values(self, start: int, stop: int) -> NDArray[Any]:
        """Return the numbers from ``start`` to ``stop``."""
        return philox_stream(*self._seeds, start, stop - start).astype(np.int64)
