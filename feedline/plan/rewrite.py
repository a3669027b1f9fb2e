"""rewrite: walking a plan and replacing its nodes, the only place that does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from feedline.plan.node import Node, NumberedNode, RandomNode

__all__ = [
    "files_of",
    "fold",
    "kept_fold",
    "number_random_nodes",
    "renumber_random_nodes",
    "restarted",
    "rewrite",
    "walk",
]

T = TypeVar("T")


def walk(root: Node) -> Iterator[Node]:
    """Yield every node of a plan, inputs before what reads them."""
    waiting, backwards = [root], []
    while waiting:
        node = waiting.pop()
        backwards.append(node)
        waiting.extend(node.inputs)
    return reversed(backwards)


def files_of(root: Node) -> list[str]:
    """Return the files that a plan reads and that are known before it runs."""
    return [path for node in walk(root) for path in node.read_files]


def fold(
    root: Node,
    step: Callable[[Node, list[Any]], T],
    is_known: Callable[[Node], bool] | None = None,
) -> T:
    """Return what ``step`` makes of a plan: of every node, and of what it made of its inputs.

    Args:
        root: The plan.
        step: Makes something of a node and the list of what it made of the node's inputs.
        is_known: Tells of which nodes it can do so without their inputs: it gets none then.
    """
    waiting, backwards = [root], []
    while waiting:
        node = waiting.pop()
        # Decided once: what is known may be more when it is the node's turn.
        inputs = () if is_known is not None and is_known(node) else node.inputs
        backwards.append((node, len(inputs)))
        waiting.extend(inputs)
    results: list[T] = []
    for node, count in reversed(backwards):
        first = len(results) - count
        made = results[first:]
        del results[first:]
        results.append(step(node, made))
    (result,) = results
    return result


def kept_fold(root: Node, key: str, step: Callable[[Node, list[Any]], T]) -> T:
    """Return the same; it is kept with the plan, and what is kept with parts of it is used."""

    def known(node: Node) -> bool:
        return key in node.__dict__.get("kept", ())

    if not known(root):
        found = fold(
            root,
            lambda node, inputs: node.kept[key] if known(node) else step(node, inputs),
            known,
        )
        root.kept[key] = found
    kept: T = root.kept[key]
    return kept


def rewrite(root: Node, rule: Callable[[Node], Node | None]) -> Node:
    """Apply ``rule`` to every node, inputs first, until it has nothing more to say.

    A rule looks at one node and returns its replacement, or None to leave it.
    """
    return _rewritten(root, rule, {})


def _rewritten(root: Node, rule: Callable[[Node], Node | None], settled: dict[int, Node]) -> Node:
    """Return the plan after a rule; nodes that are ``settled`` already are left as they are."""

    def is_settled(node: Node) -> bool:
        return id(node) in settled

    def step(node: Node, inputs: list[Node]) -> Node:
        if is_settled(node):
            return node
        node = _with_new_inputs(node, inputs)
        better = rule(node)
        if better is not None:
            return _rewritten(better, rule, settled)
        settled[id(node)] = node
        return node

    return fold(root, step, is_settled)


def number_random_nodes(root: Node) -> Node:
    """Return the plan with its numbered nodes numbered.

    Done once, on the plan as asked: no later rule changes which draws a node makes, and
    steps added at the end of a chain leave the numbers before them alone. Random nodes are
    counted over the whole plan, from the sources up; others inside their own inputs, which
    is enough to tell one inside another apart.
    """
    next_number = 0

    def step(node: Node, inputs: list[tuple[Node, int]]) -> tuple[Node, int]:
        """Return the node and how many numbered ones there are in it that are not random."""
        nonlocal next_number
        node = _with_new_inputs(node, [numbered for numbered, _ in inputs])
        inside = sum(count for _, count in inputs)
        if isinstance(node, RandomNode):
            next_number += 1
            return replace(node, number=next_number - 1), inside
        if isinstance(node, NumberedNode):
            return replace(node, number=inside), inside + 1
        return node, inside

    return fold(root, step)[0]


def renumber_random_nodes(root: Node, numbers: Mapping[int, int]) -> Node:
    """Return the plan with other numbers for its random nodes."""

    def step(node: Node, inputs: list[Node]) -> Node:
        node = _with_new_inputs(node, inputs)
        if isinstance(node, RandomNode) and numbers[node.number] != node.number:
            return replace(node, number=numbers[node.number])
        return node

    return fold(root, step)


def restarted(root: Node) -> Node:
    """Return the plan as it was before anybody iterated over it."""

    def step(node: Node, inputs: list[Node]) -> Node:
        node = _with_new_inputs(node, inputs)
        if isinstance(node, RandomNode):
            return replace(node, rounds=node.rounds.restarted())
        return node

    return fold(root, step)


def _with_new_inputs(node: Node, inputs: list[Node]) -> Node:
    if all(new is old for new, old in zip(inputs, node.inputs, strict=True)):
        return node
    return node.with_inputs(inputs)
