"""The straight line from what was asked to what runs. Read this file first.

asked      the plan as the chain of methods built it
rewritten  the plan after the rules of optimize/
running    streams over operators, pulled by an Iterator
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from feedline.engine.run import Lowerable, Run
from feedline.ids import draw_seed, mix
from feedline.ops.with_options import options_of
from feedline.optimize import RULES
from feedline.plan.node import Node, RandomNode
from feedline.plan.rewrite import number_random_nodes, rewrite, walk
from feedline.plan.verify import verify

if TYPE_CHECKING:
    from feedline.engine.stream import Stream
    from feedline.options import Options

__all__ = ["rewritten", "signature", "start_rounds", "start_run"]


def rewritten(asked: Node, options: Options) -> Node:
    """Return the plan after every rule that is not skipped."""
    plan = number_random_nodes(asked)
    verify(plan)
    for rule in RULES:
        if rule.__name__ not in (options.skip_rules or ()):
            better = rewrite(plan, rule)
            verify(better, before=plan, rule=rule.__name__)
            plan = better
    return plan


def start_rounds(asked: Node) -> dict[int, int]:
    """Return, for each random node, which iteration over it starts now."""
    numbered = number_random_nodes(asked)
    nodes = [node for node in walk(numbered) if isinstance(node, RandomNode)]
    return {node.number: node.rounds.start() for node in nodes}


def start_run(asked: Node, seed: int | None, rounds: Mapping[int, int]) -> tuple[Run, Stream]:
    """Return a run and its open stream: nothing has been read yet.

    Args:
        asked: The plan.
        seed: For random nodes that were given none; drawn here if None.
        rounds: What start_rounds() gave, now or when the state to resume was saved.
    """
    options = options_of(asked)
    if seed is None:
        seed = draw_seed()
        if options.seed is not None:
            seed = mix(options.seed, *rounds.values()) >> 11
    plan = rewritten(asked, options)

    def prepare(nested: Lowerable) -> Lowerable:
        assert isinstance(nested, Node)
        return rewritten(nested, options)

    with_ids = any(node.reads_ids for node in walk(plan))
    run = Run(options, seed, rounds, with_ids, prepare)
    return run, run.open(plan)


def signature(asked: Node) -> list[str]:
    """Return the steps of a plan as text: what a saved state must agree with."""
    return [node.signature for node in walk(asked)]
