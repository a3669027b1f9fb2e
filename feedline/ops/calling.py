"""calling: what transformations that call a user's function have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from feedline.engine.function import Function, declares_rng
from feedline.plan.node import RandomNode, UnaryNode

__all__ = ["CallingNode"]


@dataclass(frozen=True)
class CallingNode(UnaryNode, RandomNode):
    """A node that calls ``fn`` on every element. Random, for the function may draw."""

    fn: Callable[..., Any]

    @property
    def function(self) -> Function:
        """The function in its place."""
        return Function(self.fn, self.place, declares_rng(self.fn))

    @property
    def place(self) -> str:
        """The step with the function's name, and the line that built it."""
        name = getattr(self.fn, "__name__", type(self.fn).__name__)
        return f"{self.operator}({name}) built at {self.site}"

    @property
    def reads_ids(self) -> bool:
        """Only for a function that draws."""
        return declares_rng(self.fn)
