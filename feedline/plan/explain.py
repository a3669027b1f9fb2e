"""explain: a plan as text."""

from __future__ import annotations

from feedline.plan.node import Node

__all__ = ["plan_text"]


def plan_text(node: Node, depth: int = 0) -> str:
    """Return the plan as text, output first, with the lines that built it."""
    line = f"{'  ' * depth}{node.label}"
    lines = [f"{line:<60}  {node.site}", *(plan_text(i, depth + 1) for i in node.inputs)]
    return "\n".join(lines)
