"""explain: a plan as text, as it was asked and as it runs."""

from __future__ import annotations

from collections.abc import Sequence

from feedline.plan.node import Node

__all__ = ["explain_text", "plan_text"]


def explain_text(asked: Node, plan: Node, fired: Sequence[str]) -> str:
    """Return both forms of a plan and the rules that led from one to the other."""
    rules = ", ".join(fired) if fired else "none fired"
    return f"as asked\n{plan_text(asked, 1)}\nrules: {rules}\nas it runs\n{plan_text(plan, 1)}"


def plan_text(root: Node, depth: int = 0) -> str:
    """Return a plan as text, output first, with the lines that built it."""
    lines = _lines(root, depth)
    width = max(len(step) for step, _ in lines)
    return "\n".join(f"{step:<{width}}  {site}" for step, site in lines)


def _lines(node: Node, depth: int) -> list[tuple[str, str]]:
    below = [line for child in node.inputs for line in _lines(child, depth + 1)]
    return [("  " * depth + node.label, str(node.site)), *below]
