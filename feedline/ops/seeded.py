"""seeded: from a user's seed to a stream of random numbers, the way TensorFlow goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feedline.errors import check_integer
from feedline.ids import mix
from feedline.kernels.philox import philox_stream
from feedline.plan.node import RandomNode

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["GRAPH_SEED", "SeededNode", "operation_seed", "pass_seeds"]

# TensorFlow's default graph seed: it stands beside the seed of an operation.
GRAPH_SEED = 87654321
# TensorFlow takes the seed of an operation modulo this.
_MOST_SEEDS = 2**31 - 1


def operation_seed(call: str, seed: Any) -> int | None:
    """Return the seed a user gave to an operation as TensorFlow uses it."""
    return None if seed is None else check_integer(call, "seed", seed) % _MOST_SEEDS


def pass_seeds(node: RandomNode, run: Run, seed: int | None, changes: bool) -> tuple[int, int]:
    """Return the two seeds of a node's stream in this pass: tf.data's if a seed was given.

    Args:
        node: Whose draws they are.
        run: Tells which pass this is.
        seed: What the user gave, as operation_seed() returned it.
        changes: Whether every pass has other draws.
    """
    number = run.round_of(node.number) if changes else 0
    if seed is None:
        return mix(run.key(node.number), run.scope.parent, number), 0
    if not changes:
        return GRAPH_SEED, seed
    first, second = philox_stream(GRAPH_SEED, seed, 2 * number, 2).tolist()
    return first, second


@dataclass(frozen=True)
class SeededNode(RandomNode):
    """A node whose draws come from one stream of random numbers per pass."""

    seed: int | None
    rerandomize: bool

    def stream_seeds(self, run: Run) -> tuple[int, int]:
        """Return the two seeds of this pass."""
        return pass_seeds(self, run, self.seed, self.rerandomize)
