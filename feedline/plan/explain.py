"""explain: a plan as text, as it was asked and as it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from feedline.errors import BuildError
from feedline.plan.node import Node

__all__ = ["Explanation", "explain_text", "plan_text"]

# Steps further down are not indented further: a page of text has some hundred columns.
_DEEPEST = 40


class Explanation(str):
    """Text that an interactive session shows as it is, without quotes and escapes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def explain_text(
    asked: Node,
    plan: Node,
    fired: Sequence[str],
    phase: str | None = None,
    notes: Mapping[int, str] = MappingProxyType({}),
) -> Explanation:
    """Return a plan as asked, as it runs, or both with the rules that led from one to the other.

    Args:
        asked: The plan as the chain of methods built it.
        plan: The plan after the rules.
        fired: The rules that changed it.
        phase: "asked" or "rewritten" for one form alone.
        notes: What to say of nodes of the plan after the rules, by identity.
    """
    forms = {"asked": asked, "rewritten": plan}
    if phase is not None:
        if phase not in forms:
            raise BuildError(f"explain(): phase must be one of {[*forms]} or None, got {phase!r}.")
        return Explanation(plan_text(forms[phase], notes=notes))
    rules = ", ".join(fired) if fired else "none fired"
    return Explanation(
        f"as asked\n{plan_text(asked, 1)}\nrules: {rules}\nas it runs\n{plan_text(plan, 1, notes)}"
    )


def plan_text(root: Node, depth: int = 0, notes: Mapping[int, str] = MappingProxyType({})) -> str:
    """Return a plan as text, output first, with the lines that built it."""
    lines = _lines(root, depth, notes)
    width = max(len(step) for step, _ in lines)
    return "\n".join(f"{step:<{width}}  {site}" for step, site in lines)


def _lines(root: Node, depth: int, notes: Mapping[int, str]) -> list[tuple[str, str]]:
    lines, waiting = [], [(root, depth)]
    while waiting:
        node, depth = waiting.pop()
        waiting.extend((child, depth + 1) for child in reversed(node.inputs))
        note = notes.get(id(node))
        built = str(node.site) if note is None else f"{node.site}  {note}"
        lines.append((_indent(depth) + node.label, built))
    return lines


def _indent(depth: int) -> str:
    """Return two spaces for every step above; a number where that would leave no room."""
    return "  " * depth if depth <= _DEEPEST else "  " * _DEEPEST + f"{depth}: "
