"""map_and_filter_fusion: a map and the filter after it as one step.

Off unless asked for, as in tf.data; and only where both functions run on whole blocks.
"""

from __future__ import annotations

from functools import partial

from feedline.graph.composed import MapThenFilter
from feedline.ops.condition import as_condition
from feedline.ops.filter import Filter
from feedline.ops.map import Map
from feedline.ops.map_and_filter import MapAndFilter
from feedline.optimize.fusing import can_be_one, is_recorded
from feedline.plan.node import Node

__all__ = ["map_and_filter_fusion"]


def map_and_filter_fusion(node: Node) -> Node | None:
    """Replace a filter of a map."""
    if not isinstance(node, Filter) or not isinstance(node.input, Map):
        return None
    inner = node.input
    if not can_be_one(inner, node):
        return None
    both = MapThenFilter(
        (inner.fn, node.fn), (inner.place, node.place), partial(as_condition, "filter()")
    )
    if not is_recorded(both, inner.input, node):
        return None
    return MapAndFilter(inner.input, both, name=node.name, site=node.site, number=node.number)
