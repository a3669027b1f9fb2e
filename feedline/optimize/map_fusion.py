"""map_fusion: adjacent maps as one, where both of their functions run on whole blocks.

Less is written to memory in between. Functions that are called on each element gain
nothing from this, and keep their own steps: each is then called on a whole block before
the next one is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from feedline.graph.composed import Composed
from feedline.graph.function_spec import recorded_for
from feedline.graph.untraceable import Untraceable
from feedline.graph.vectorizer import Vectorizer
from feedline.ops.map import Map
from feedline.plan.declared import recorded_spec
from feedline.plan.node import Node

__all__ = ["map_fusion"]


def map_fusion(node: Node) -> Node | None:
    """Replace a map of a map."""
    if not isinstance(node, Map) or not isinstance(node.input, Map):
        return None
    inner = node.input
    settings = (inner.vectorize, inner.num_parallel_calls, inner.deterministic, inner.synchronous)
    if settings != (node.vectorize, node.num_parallel_calls, node.deterministic, node.synchronous):
        return None
    if node.vectorize is False or node.reads_ids or inner.reads_ids:
        return None  # draws are numbered within a step
    composed = Composed(
        (*_functions(inner), *_functions(node)), (*_places(inner), *_places(node))
    )
    if not _is_recorded(composed, inner.input, node.vectorizer):
        return None
    return replace(node, input=inner.input, fn=composed, vectorizer=Vectorizer())


def _functions(node: Map) -> tuple[Any, ...]:
    return node.fn.functions if isinstance(node.fn, Composed) else (node.fn,)


def _places(node: Map) -> tuple[str, ...]:
    return node.fn.places if isinstance(node.fn, Composed) else (node.place,)


def _is_recorded(composed: Composed, below: Node, known: Vectorizer) -> bool:
    """Whether the functions can be recorded as one: asked once for every pair of steps."""
    if known.fuses is None:
        spec = recorded_spec(below)
        try:
            known.fuses = spec is not None and not recorded_for(composed, spec).hidden
        except Untraceable:
            known.fuses = False
    return known.fuses
