"""verify: what must hold of every plan, checked when it is asked and after every rule."""

from __future__ import annotations

from feedline.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
from feedline.plan.node import Node
from feedline.plan.rewrite import fold, walk

__all__ = ["cardinality_of", "verify"]


def verify(root: Node, before: Node | None = None, rule: str = "") -> None:
    """Raise AssertionError if a rule broke the plan: our own mistake, never the user's."""
    for node in walk(root):
        assert isinstance(node, Node), f"{rule}: {node!r} is not a node"
        assert node.with_inputs(node.inputs) == node, f"{rule}: {node.label} loses its inputs"
    if before is None:
        return
    was, now = cardinality_of(before), cardinality_of(root)
    unknown = UNKNOWN_CARDINALITY in (was, now)
    assert unknown or was == now, f"{rule}: cardinality went from {was} to {now}"


def cardinality_of(root: Node) -> int:
    """Return the number of elements of a plan, INFINITE_CARDINALITY or UNKNOWN_CARDINALITY."""
    return fold(root, _cardinality)


def _cardinality(node: Node, inputs: list[int]) -> int:
    count = node.cardinality(inputs)
    assert count >= 0 or count in (INFINITE_CARDINALITY, UNKNOWN_CARDINALITY)
    return count
