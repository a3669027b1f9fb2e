"""fusing: what rules that make one step of two functions have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from feedline.graph.composed import Several
from feedline.graph.function_spec import recorded_for
from feedline.graph.untraceable import Untraceable
from feedline.ops.calling import CallingNode
from feedline.plan.declared import recorded_spec
from feedline.plan.node import Node

__all__ = ["can_be_one", "functions_of", "is_recorded", "places_of"]

# All are recorded anew for each that is added: more would save little, and take long to find.
_MOST_FUNCTIONS = 32


def can_be_one(first: CallingNode, second: CallingNode) -> bool:
    """Whether two steps may be one: they run the same way, and draw no random numbers.

    Draws are numbered within a step.
    """
    return (
        first.vectorize is second.vectorize is not False
        and _num_functions(first) + _num_functions(second) <= _MOST_FUNCTIONS
        and not first.stands_alone
        and not second.stands_alone
        and not first.reads_ids
        and not second.reads_ids
    )


def _num_functions(node: CallingNode) -> int:
    return len(node.fn.functions) if isinstance(node.fn, Several) else 1


def functions_of(node: CallingNode, kind: type[Several]) -> tuple[Callable[..., Any], ...]:
    """Return the functions of a step that may itself be several."""
    return node.fn.functions if isinstance(node.fn, kind) else (node.fn,)


def places_of(node: CallingNode, kind: type[Several]) -> tuple[str, ...]:
    """Return the places of the steps that one may be several of."""
    return node.fn.places if isinstance(node.fn, kind) else (node.place,)


def is_recorded(fn: Callable[..., Any], below: Node, node: CallingNode) -> bool:
    """Whether functions can be recorded as one: asked once for every step that might be fused."""
    known = node.vectorizer
    if known.fuses is None:
        spec = recorded_spec(below)
        try:
            known.fuses = spec is not None and not recorded_for(fn, spec).hidden
        except Untraceable:
            known.fuses = False
    return known.fuses
