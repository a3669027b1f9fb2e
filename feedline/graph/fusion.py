"""fusion: several recorded operations as one, where someone knows how.

What is recorded stays what it is: only how it runs on a block changes. Whoever knows how to
join operations registers a function for it; it must give the same results, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from feedline.graph.op import Op, Ref, resolved

__all__ = ["FUSERS", "Fuser", "fused", "fuser", "uses_of"]

Fuser = Callable[[Sequence[Op], Sequence[Any]], Sequence[Op]]

FUSERS: list[Fuser] = []
"""Each gets operations and outputs of a program, and returns operations in their place."""


def fuser(function: Fuser) -> Fuser:
    """Register a function that joins operations."""
    FUSERS.append(function)
    return function


def fused(ops: Sequence[Op], outputs: Sequence[Any]) -> tuple[Op, ...]:
    """Return the operations of a program as they run on a block."""
    for function in FUSERS:
        ops = function(ops, outputs)
    return tuple(ops)


def uses_of(ops: Sequence[Op], outputs: Sequence[Any]) -> dict[int, int]:
    """Return how often each value is used, by its number."""
    uses: dict[int, int] = {}

    def note(number: int) -> Ref:
        uses[number] = uses.get(number, 0) + 1
        return Ref(number)

    for op in ops:
        resolved((op.args, op.kwargs), note)
    resolved(tuple(outputs), note)
    return uses
