"""calling: what transformations that call a user's function have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from feedline.block import Block
from feedline.engine.function import Function, declares_rng
from feedline.plan.node import RandomNode, UnaryNode, node_of

__all__ = ["CallingNode", "DatasetMakingNode"]


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


@dataclass(frozen=True)
class DatasetMakingNode(CallingNode):
    """A node whose function makes a dataset of every element."""

    @property
    def reads_ids(self) -> bool:
        """The elements of nested datasets get their ids from their parents."""
        return True

    def spec_of_made(self, example: Block, inputs: Sequence[Any]) -> Any:
        """That of the dataset the function makes of the example."""
        calls = self.function.each(example, 0, 0)
        if calls.error is not None:
            raise calls.error
        node_of(calls.results[0], self.place, "what map_func returns")
        return calls.results[0].element_spec
