"""rewrite: walking a plan and replacing its nodes, the only place that does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from feedline.plan.node import Node, NumberedNode, RandomNode

__all__ = ["number_random_nodes", "renumber_random_nodes", "restarted", "rewrite", "walk"]


def walk(root: Node) -> Iterator[Node]:
    """Yield every node of a plan, inputs before what reads them."""
    for node in root.inputs:
        yield from walk(node)
    yield root


def rewrite(root: Node, rule: Callable[[Node], Node | None]) -> Node:
    """Apply ``rule`` to every node, inputs first, until it has nothing more to say.

    A rule looks at one node and returns its replacement, or None to leave it.
    """
    node = _with_new_inputs(root, [rewrite(child, rule) for child in root.inputs])
    better = rule(node)
    return node if better is None else rewrite(better, rule)


def number_random_nodes(root: Node) -> Node:
    """Return the plan with its numbered nodes numbered.

    Done once, on the plan as asked: no later rule changes which draws a node makes, and
    steps added at the end of a chain leave the numbers before them alone. Random nodes are
    counted over the whole plan, from the sources up; others inside their own inputs, which
    is enough to tell one inside another apart.
    """
    return _numbered(root, 0)[0]


def _numbered(root: Node, next_number: int) -> tuple[Node, int, int]:
    inputs, inside = [], 0
    for child in root.inputs:
        numbered, next_number, count = _numbered(child, next_number)
        inputs.append(numbered)
        inside += count
    node = _with_new_inputs(root, inputs)
    if isinstance(node, RandomNode):
        return replace(node, number=next_number), next_number + 1, inside
    if isinstance(node, NumberedNode):
        return replace(node, number=inside), next_number, inside + 1
    return node, next_number, inside


def renumber_random_nodes(root: Node, numbers: Mapping[int, int]) -> Node:
    """Return the plan with other numbers for its random nodes."""
    inputs = [renumber_random_nodes(child, numbers) for child in root.inputs]
    node = _with_new_inputs(root, inputs)
    if isinstance(node, RandomNode) and numbers[node.number] != node.number:
        return replace(node, number=numbers[node.number])
    return node


def restarted(root: Node) -> Node:
    """Return the plan as it was before anybody iterated over it."""
    node = _with_new_inputs(root, [restarted(child) for child in root.inputs])
    if isinstance(node, RandomNode):
        return replace(node, rounds=node.rounds.restarted())
    return node


def _with_new_inputs(node: Node, inputs: list[Node]) -> Node:
    if all(new is old for new, old in zip(inputs, node.inputs, strict=True)):
        return node
    return node.with_inputs(inputs)
