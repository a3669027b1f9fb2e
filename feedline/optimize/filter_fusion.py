"""filter_fusion: adjacent filters as one, where both of their predicates run on whole blocks.

Off unless asked for, as in tf.data: the later predicate then sees elements, too, that the
earlier one does not want, and NumPy may warn about them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from feedline.graph.composed import Conjunction
from feedline.graph.vectorizer import Vectorizer
from feedline.ops.condition import as_condition
from feedline.ops.filter import Filter
from feedline.optimize.fusing import can_be_one, functions_of, is_recorded, places_of
from feedline.plan.node import Node

__all__ = ["filter_fusion"]


def filter_fusion(node: Node) -> Node | None:
    """Replace a filter of a filter."""
    if not isinstance(node, Filter) or not isinstance(node.input, Filter):
        return None
    inner = node.input
    if not can_be_one(inner, node):
        return None
    both = Conjunction(
        (*functions_of(inner, Conjunction), *functions_of(node, Conjunction)),
        (*places_of(inner, Conjunction), *places_of(node, Conjunction)),
        partial(as_condition, "filter()"),
    )
    if not is_recorded(both, inner.input, node):
        return None
    return replace(node, input=inner.input, fn=both, vectorizer=Vectorizer())
