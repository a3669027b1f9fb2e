"""seeded: from a user's seed to a stream of random numbers, the way TensorFlow goes.

A step's own seed stands beside that of the program. A step without one has, in this order:
the seed of the pipeline's Options, one that follows from that of the program, or none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from feedline.errors import check_integer
from feedline.graph.drawing import in_function, number_of_operation
from feedline.ids import mix
from feedline.kernels.philox import philox_stream
from feedline.plan.node import RandomNode
from feedline.seeding import DEFAULT_SEED, both, global_seed, operation_seeds, truncated

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = [
    "SeededNode",
    "Seeds",
    "StepSeed",
    "StreamNode",
    "function_seed",
    "operation_seed",
    "stream_seeds",
]


class Seeds(NamedTuple):
    """The seed of the program and that of a step.

    ``program`` is None for a step that a function of a pipeline makes: it has that of the
    iteration. ``is_given`` says whether the user gave the step its own.
    """

    program: int | None
    step: int
    is_given: bool

    def __repr__(self) -> str:
        # A state may be continued where the program has another seed: it holds what follows.
        if not self.is_given:
            return "None"
        return repr(self.step if self.program is None else (self.program, self.step))

    @property
    def inherited(self) -> tuple[int, int] | None:
        """Both seeds, if none was given and they are known already."""
        return None if self.is_given or self.program is None else (self.program, self.step)


StepSeed = Seeds | int | None
"""Of a step: an integer is what the user gave where the program has no seed."""


def operation_seed(call: str, seed: Any) -> StepSeed:
    """Return the seeds of a step that is made now.

    Args:
        call: Who was given a seed.
        seed: What the user gave; None for none.
    """
    if seed is not None:
        return _given_seed(call, seed)
    if in_function():
        return Seeds(None, number_of_operation(), is_given=False)
    seeds = None if global_seed() is None else operation_seeds(None)
    return None if seeds is None else Seeds(*seeds, is_given=False)


def function_seed(call: str, seed: Any) -> StepSeed:
    """Return the same for a step that is a function with one draw in TensorFlow."""
    if seed is not None:
        return _given_seed(call, seed)
    program = global_seed()
    if in_function():
        return Seeds(None, 0, is_given=False)
    return None if program is None else Seeds(*both(program, 0), is_given=False)


def _given_seed(call: str, seed: Any) -> StepSeed:
    number = check_integer(call, "seed", seed)
    if in_function():
        return Seeds(None, truncated(number), is_given=True)
    program = global_seed()
    return truncated(number) if program is None else Seeds(*both(program, number), is_given=True)


def stream_seeds(node: SeededNode, run: Run) -> tuple[int, int] | None:
    """Return the two seeds that a step's stream follows from, None if it has none."""
    seed, inherited = node.seed, run.inherited
    if isinstance(seed, int):
        return DEFAULT_SEED, seed
    if seed is None or not seed.is_given:
        if inherited.steps is not None:
            return inherited.steps.get(node.number)
        if seed is None or run.options.seed is not None:
            return None
    program = inherited.program if seed.program is None else seed.program
    if program is None:
        return (DEFAULT_SEED, seed.step) if seed.is_given else None
    return both(program, seed.step)


@dataclass(frozen=True)
class SeededNode(RandomNode):
    """A node whose draws come from a stream of random numbers."""

    if TYPE_CHECKING:

        @property
        def seed(self) -> StepSeed:
            """A field, which every class has in its place among the others."""

    @property
    def inherited_seeds(self) -> tuple[int, int] | None:
        """Those it got when it was made."""
        return self.seed.inherited if isinstance(self.seed, Seeds) else None

    def pass_seeds(self, run: Run, changes: bool) -> tuple[int, int]:
        """Return the two seeds of the stream in this pass: tf.data's if the node has a seed.

        Args:
            run: Tells which pass this is.
            changes: Whether every pass has other draws.
        """
        number = run.round_of(self.number) if changes else 0
        seeds = stream_seeds(self, run)
        if seeds is None:
            return mix(run.key(self.number), run.scope.parent, number), 0
        if not changes:
            return seeds
        first, second = philox_stream(*seeds, 2 * number, 2).tolist()
        return first, second


@dataclass(frozen=True)
class StreamNode(SeededNode):
    """A node that has one stream per pass."""

    seed: StepSeed
    rerandomize: bool

    def stream_seeds(self, run: Run) -> tuple[int, int]:
        """Return the two seeds of this pass."""
        return self.pass_seeds(run, self.rerandomize)
