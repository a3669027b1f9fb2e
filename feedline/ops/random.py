"""random: random integers without an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.engine.access import CursorExec
from feedline.kernels.philox import philox_stream
from feedline.ops.counter import Endless
from feedline.ops.seeded import StreamNode, operation_seed
from feedline.options import INFINITE_CARDINALITY
from feedline.plan.node import Traits
from feedline.spec import TensorSpec

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["Random", "random"]


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
    return cls.of_node(
        Random(operation_seed("random()", seed), bool(rerandomize_each_iteration), name=name)
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Random(StreamNode):
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
