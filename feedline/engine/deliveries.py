"""Deliveries: in which order elements left a step that hands them on as they are ready.

A state says where a step stood before a block, and how many of the elements after it were
used. Where the order is not that of the input, going on from there needs to know which
elements these were. They are not known when the state is taken: so it holds a place in a
list that goes on growing, and what was added since is written down with the rest of the
state. What no state points to is forgotten.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Delivery", "order_in", "written"]


class Delivery:
    """A place in the list; ``what`` was handed on after it, as its step writes it."""

    __slots__ = ("next", "what")

    def __init__(self) -> None:
        self.what: tuple[int, int] | None = None
        self.next: Delivery | None = None

    def add(self, *what: int) -> Delivery:
        """Note that something was handed on; return the place after that."""
        first, second = what
        self.what, self.next = (first, second), Delivery()
        return self.next

    def since(self) -> list[list[int]]:
        """Return what was handed on since."""
        found: list[list[int]] = []
        at = self
        while at.what is not None and at.next is not None:
            found.append(list(at.what))
            at = at.next
        return found


def order_in(state: Any) -> list[list[int]]:
    """Return what a state holds of such a list: as it was written, or the place in it."""
    if isinstance(state, Delivery):
        return state.since()
    return [[int(one), int(other)] for one, other in state]


def written(state: Any) -> Any:
    """Return a state in which every place in such a list is what was handed on since."""
    if isinstance(state, Delivery):
        return state.since()
    if isinstance(state, dict):
        return {key: written(value) for key, value in state.items()}
    if isinstance(state, list):
        return [written(value) for value in state]
    return state
