"""The straight line from what was asked to what runs. Read this file first.

asked      the plan as the chain of methods built it
rewritten  the plan after the rules of optimize/
running    streams over operators, pulled by an Iterator
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.engine.run import Lowerable, Run
from feedline.errors import BuildError, SpecError
from feedline.ids import draw_seed
from feedline.ops.transparent import without_transparent
from feedline.ops.with_options import options_of
from feedline.optimize import RULES
from feedline.plan.node import Node, RandomNode
from feedline.plan.rewrite import number_random_nodes, rewrite, walk
from feedline.plan.verify import verify
from feedline.spec import merge_specs, spec_of, zeros_of

if TYPE_CHECKING:
    from feedline.engine.access import Access
    from feedline.engine.stream import Stream
    from feedline.options import Options

__all__ = [
    "element_spec",
    "first_rounds",
    "open_access",
    "rewritten",
    "signature",
    "start",
    "start_rounds",
]

# How many elements are looked at where only running a function tells what comes out.
_SAMPLE = 3
_CHANCES = 10


def rewritten(asked: Node, options: Options) -> tuple[Node, list[str]]:
    """Return the plan after every rule that is not skipped, and the names of those that fired."""
    skipped = options.skip_rules or ()
    known = [rule.__name__ for rule in RULES]
    if unknown := sorted(set(skipped) - set(known)):
        raise BuildError(f"skip_rules: unknown rules {unknown}. Known: {', '.join(known)}.")
    plan = rewrite(number_random_nodes(asked), without_transparent)
    verify(plan)
    fired = []
    for rule in RULES:
        if rule.__name__ not in skipped:
            better = rewrite(plan, rule)
            if better is not plan:
                verify(better, before=plan, rule=rule.__name__)
                fired.append(rule.__name__)
            plan = better
    return plan, fired


def start_rounds(asked: Node) -> dict[int, int]:
    """Return, for each random node, which pass over it comes first in the iteration that starts.

    The next iteration begins after all passes that this one may make, however many it does:
    what is read ahead must not decide which order comes next.
    """
    counted = _passes(number_random_nodes(asked), options_of(asked))
    return {node.number: node.start_round(passes) for node, passes in counted}


def _passes(root: Node, options: Options) -> Iterator[tuple[RandomNode, int]]:
    """Yield the random nodes of a plan and how many passes over them one iteration makes."""
    for child in root.inputs:
        for node, passes in _passes(child, options):
            yield node, root.passes_below(passes, options)
    if isinstance(root, RandomNode):
        yield root, 1


def first_rounds(asked: Node) -> dict[int, int]:
    """Return the same for the first iteration, without counting it."""
    nodes = walk(number_random_nodes(asked))
    return {node.number: node.first_round() for node in nodes if isinstance(node, RandomNode)}


def start(
    asked: Node, seed: int | None, rounds: Mapping[int, int], *, counts: bool = True
) -> tuple[Run, Stream]:
    """Return a run and its open stream: nothing has been read yet.

    Args:
        asked: The plan.
        seed: For random nodes that were given none; drawn here if None.
        rounds: What start_rounds() gave, now or when the state to resume was saved.
        counts: Whether this is an iteration, or only a look at some elements.
    """
    plan, run = _prepared(asked, seed, rounds, counts)
    return run, run.open(plan)


def open_access(asked: Node, seed: int | None, rounds: Mapping[int, int]) -> Access | None:
    """Return the elements by index, if every step of the plan allows it."""
    plan, run = _prepared(asked, seed, rounds, counts=False)
    return plan.access(run)


def _prepared(
    asked: Node, seed: int | None, rounds: Mapping[int, int], counts: bool
) -> tuple[Node, Run]:
    options = options_of(asked)
    if seed is None:
        seed = draw_seed() if options.seed is None else options.seed
    plan, _ = rewritten(asked, options)

    def prepare(nested: Lowerable) -> Lowerable:
        assert isinstance(nested, Node)
        return rewritten(nested, options)[0]

    with_ids = any(node.reads_ids for node in walk(plan))
    return plan, Run(options, seed, rounds, with_ids, prepare, counts=counts)


def element_spec(asked: Node) -> Any:
    """Return the spec of the elements.

    Where a user's function decides, the first elements are computed and looked at.
    """
    inputs = [element_spec(node) for node in asked.inputs]
    declared = asked.spec(inputs)
    if declared is not None:
        return declared
    if asked.traits.makes_datasets:
        return _spec_of_made(asked, inputs)
    seen = _look_at(asked, _SAMPLE)
    if seen is not None:
        return merge_specs([spec_of(row) for row in seen.rows()])
    guessed = asked.spec_of_nothing(inputs)
    if guessed is None:
        raise SpecError(
            f"element_spec: {asked.place} yields no element to look at, and only running it "
            "could tell what its elements are."
        )
    return guessed


def _spec_of_made(asked: Node, inputs: Sequence[Any]) -> Any:
    """Return the spec of the datasets that a function makes of elements: of one that can tell."""
    example = _look_at(asked.inputs[0], 1) or Block.of([zeros_of(inputs[0])])
    try:
        return asked.spec_of_made(example, inputs)
    except Exception:
        more = _look_at(asked.inputs[0], _CHANCES) or example
        for number in range(1, more.length):
            with suppress(Exception):
                return asked.spec_of_made(more.slice(number, number + 1), inputs)
        raise


def _look_at(node: Node, count: int) -> Block | None:
    """Return up to ``count`` elements; those that fail are passed over, but not for ever."""
    _, stream = start(node, 0, {}, counts=False)
    failures = 0
    try:
        while True:
            try:
                return stream.read(count)
            except Exception:
                failures += 1
                if failures > _CHANCES:
                    raise
    finally:
        stream.close()


def signature(asked: Node) -> list[str]:
    """Return the steps of a plan as text: what a saved state must agree with."""
    return [node.signature for node in walk(asked) if node.signature]
