"""declared: what a plan says of its elements without running anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from feedline.errors import FeedlineError
from feedline.plan.node import Node
from feedline.plan.rewrite import kept_fold

__all__ = ["declared_spec", "recorded_spec", "spec_of_step"]


def declared_spec(node: Node) -> Any:
    """Return the element spec, or None where only running a function could tell."""
    return kept_fold(node, "declared_spec", _declared)


def _declared(node: Node, inputs: list[Any]) -> Any:
    if any(spec is None for spec in node.inputs_of_spec(inputs)):
        return None
    return node.spec(inputs)


def recorded_spec(node: Node) -> Any:
    """Return the element spec, also where functions decide that can be recorded."""
    return kept_fold(node, "recorded_spec", spec_of_step)


def spec_of_step(node: Node, inputs: Sequence[Any]) -> Any:
    """Return the spec of a step's elements, given those of its inputs: None where not known."""
    if any(spec is None for spec in node.inputs_of_spec(inputs)):
        return None
    try:
        declared = node.spec(inputs)
    except FeedlineError:
        return None  # the steps do not fit together: running them says so
    return node.spec_by_recording(inputs) if declared is None else declared
