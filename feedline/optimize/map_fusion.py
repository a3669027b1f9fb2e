"""map_fusion: adjacent maps as one, where both of their functions run on whole blocks.

Less is written to memory in between. Functions that are called on each element gain
nothing from this, and keep their own steps: each is then called on a whole block before
the next one is.
"""

from __future__ import annotations

from dataclasses import replace

from feedline.graph.composed import Composed
from feedline.graph.vectorizer import Vectorizer
from feedline.ops.map import Map
from feedline.optimize.fusing import can_be_one, functions_of, is_recorded, places_of
from feedline.plan.node import Node

__all__ = ["map_fusion"]


def map_fusion(node: Node) -> Node | None:
    """Replace a map of a map."""
    if not isinstance(node, Map) or not isinstance(node.input, Map):
        return None
    inner = node.input
    if not can_be_one(inner, node) or inner.parallelism != node.parallelism:
        return None
    functions = (*functions_of(inner, Composed), *functions_of(node, Composed))
    composed = Composed(functions, (*places_of(inner, Composed), *places_of(node, Composed)))
    if not is_recorded(composed, inner.input, node):
        return None
    return replace(node, input=inner.input, fn=composed, vectorizer=Vectorizer())
