"""declared: what a plan says of its elements without running anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from feedline.errors import FeedlineError
from feedline.plan.node import Node

__all__ = ["declared_spec", "recorded_spec", "spec_of_step"]


def declared_spec(node: Node) -> Any:
    """Return the element spec, or None where only running a function could tell."""
    inputs = [declared_spec(child) for child in node.inputs]
    if any(spec is None for spec in node.inputs_of_spec(inputs)):
        return None
    return node.spec(inputs)


def recorded_spec(node: Node) -> Any:
    """Return the element spec, also where functions decide that can be recorded."""
    inputs = [recorded_spec(child) for child in node.inputs]
    return spec_of_step(node, inputs)


def spec_of_step(node: Node, inputs: Sequence[Any]) -> Any:
    """Return the spec of a step's elements, given those of its inputs: None where not known."""
    if any(spec is None for spec in node.inputs_of_spec(inputs)):
        return None
    try:
        declared = node.spec(inputs)
    except FeedlineError:
        return None  # the steps do not fit together: running them says so
    return node.spec_by_recording(inputs) if declared is None else declared
